/** The table of labels as text for a terminal. */

import type { Coverage, KeyRow, LabelTable, PlacedObject } from '../../features/labels/label-table.ts';
import { percentOf } from '../../features/labels/label-table.ts';
import { sentenceAbout, setByText, summaryOf } from '../../features/labels/labels-page.ts';
import type { Colorize } from '../output/terminal-escape.ts';
import { tame } from '../output/terminal-escape.ts';

/** The maximum number of values, and of objects without a label, on a line. */
const mostListed = 5;

export function labelsText(table: LabelTable, colorize: Colorize): readonly string[] {
  return [
    summaryOf(table),
    ...section('Coverage:', table.coverage.filter(isNotable).map(coverageLine), colorize),
    ...section('Similar:', similarLines(table), colorize),
    ...keyLines(table.keys, colorize),
  ];
}

/** Whether a coverage concerns any object. */
function isNotable({ total }: Coverage): boolean {
  return total > 0;
}

function section(title: string, lines: readonly string[], colorize: Colorize): readonly string[] {
  return lines.length === 0 ? [] : ['', colorize(title, 'bold'), ...lines.map((line) => `  ${tame(line)}`)];
}

/** The maximum number of sentences about similar labels. */
const mostSimilar = 20;

function similarLines({ similar }: LabelTable): readonly string[] {
  const more = similar.length - mostSimilar;
  const shown = similar.slice(0, mostSimilar).map((each) => sentenceAbout(each, quoted));
  return more > 0 ? [...shown, `And ${more} others, which the other formats list.`] : shown;
}

function coverageLine(each: Coverage): string {
  const { key, of, is, have, total, unknown, missing } = each;
  const doubt = unknown === 0 ? '' : `, ${unknown} unknown`;
  const names = missing.first.slice(0, mostListed).map(placeText);
  const more = missing.count - names.length;
  const lacking = names.length === 0 ? '' : `; missing: ${names.join(', ')}${more > 0 ? `, and ${more} others` : ''}`;
  return `${percentOf(each)} % of ${of} have '${key}' (${is}; ${have} of ${total}${doubt})${lacking}`;
}

function placeText({ name, file, line }: PlacedObject): string {
  return `${name} (${file}:${line})`;
}

function quoted(text: string): string {
  return `'${text}'`;
}

function keyLines(keys: readonly KeyRow[], colorize: Colorize): readonly string[] {
  if (keys.length === 0) return [];
  const rows = keys.map((each) => [
    tame(each.key),
    `${each.objects}`,
    `${each.pods}`,
    `${each.selectors.count}`,
    setByText(each) || '-',
    tame(valuesText(each)),
  ]);
  const head = ['KEY', 'OBJECTS', 'PODS', 'SELECTORS', 'SET BY', 'VALUES'];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ');
  return ['', colorize(lineOf(head), 'bold'), ...rows.map(lineOf)];
}

function valuesText({ values, unknown }: KeyRow): string {
  const shown = values.slice(0, mostListed).map(({ value, objects, pods }) => `${value || "''"} (${objects + pods})`);
  const more = values.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} others`] : []), ...(unknown > 0 ? [`unknown (${unknown})`] : [])].join(
    ', ',
  );
}
