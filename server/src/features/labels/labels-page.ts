/** The page about the labels of a workspace, as Markdown: coverage of required labels, similar labels, and a section for each key. */

import { localize } from '../../text/localize.ts';
import { usersText } from '../presentation/label-statements.ts';
import { code, escapeMarkdown } from '../presentation/markdown.ts';
import {
  type Counted,
  type Coverage,
  type KeyRow,
  type LabelTable,
  type Place,
  percentOf,
  type Similar,
} from './label-table.ts';

/** Formats a place as Markdown: a link if the file can be opened. */
export type LinkTo = (place: Place, text: string) => string;

/** The maximum number of keys with a section, and of values and selectors in a section. */
const most = { keys: 300, items: 20 };

export function labelsPage(table: LabelTable, linkTo: LinkTo): string {
  const { keys, coverage, similar } = table;
  const required = coverage.filter(({ is }) => is === 'required');
  const recommended = coverage.filter(({ is }) => is === 'recommended');
  const parts = [
    `# ${localize`Labels`}`,
    summaryOf(table),
    ...coverageSection(localize`Required labels`, required, linkTo),
    ...similarSection(similar),
    ...keysSection(keys),
    ...coverageSection(localize`Recommended labels`, recommended, linkTo),
    ...keys.slice(0, most.keys).map((row) => keySection(row, linkTo)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Returns the number of keys, objects and pods as a sentence. */
export function summaryOf({ objects, pods, keys }: LabelTable): string {
  if (objects + pods === 0) return localize`No objects.`;
  const users = usersText({ objects, pods });
  return keys.length === 1 ? localize`1 label key on ${users}.` : localize`${keys.length} label keys on ${users}.`;
}

/** Returns a list, which is easier to read in a narrow preview than a wide table. */
function coverageSection(title: string, coverage: readonly Coverage[], linkTo: LinkTo): readonly string[] {
  const lines = coverage.map((each) => {
    const missing = each.missing.first.slice(0, 5).map((place) => linkTo(place, place.name));
    const lacking = missing.length === 0 ? '' : localize`; missing: ${listText(missing, each.missing.count)}`;
    const on = each.of === 'pods' ? localize`pods` : localize`objects`;
    return localize`- ${code(each.key)} on ${on}: ${percentOf(each)} % (${shares(each)})${lacking}`;
  });
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

function shares({ have, total, unknown }: Coverage): string {
  return unknown === 0 ? localize`${have} of ${total}` : localize`${have} of ${total}, ${unknown} unknown`;
}

function similarSection(similar: readonly Similar[]): readonly string[] {
  if (similar.length === 0) return [];
  const lines = similar.slice(0, most.keys).map((each) => `- ${sentenceAbout(each, code)}`);
  return [`## ${localize`Similar labels`}`, lines.join('\n')];
}

/** Returns a sentence about two similar keys or values. */
export function sentenceAbout(
  { key, names: [one, other], counts: [first, second], reason }: Similar,
  quoted: (text: string) => string,
): string {
  const both = localize`${quoted(one)} (${first}) and ${quoted(other)} (${second})`;
  if (key !== undefined) return localize`Values of ${quoted(key)}: ${both} differ only in spelling.`;
  switch (reason) {
    case 'spelling':
      return localize`Keys: ${both} differ only in spelling.`;
    case 'prefix':
      return localize`Keys: ${both} differ only in the prefix.`;
    case 'meaning':
      return localize`Keys: ${both} are often used for the same purpose.`;
  }
}

function keysSection(keys: readonly KeyRow[]): readonly string[] {
  if (keys.length === 0) return [];
  const rows = keys.map((each) =>
    row([
      code(each.key),
      `${each.objects}`,
      `${each.pods}`,
      `${each.values.length}`,
      `${each.selectors.count}`,
      escapeMarkdown(setByText(each)),
    ]),
  );
  const head = [
    localize`Key`,
    localize`Objects`,
    localize`Pods`,
    localize`Values`,
    localize`Selectors`,
    localize`Set by`,
  ];
  return [`## ${localize`Keys`}`, tableOf(head, rows)];
}

/** Returns what sets a key, such as `manifest (12), kustomization (3)`. */
export function setByText({ setBy }: KeyRow): string {
  return setBy.map(({ by, count }) => `${by} (${count})`).join(', ');
}

function keySection(each: KeyRow, linkTo: LinkTo): string {
  const { key, statements, values, unknown, selectors, setBy } = each;
  const shown = values.slice(0, most.items).map(({ value, objects, pods, at }) => {
    return row([code(value), `${objects}`, `${pods}`, linkTo(at, at.name)]);
  });
  const more = values.length - shown.length;
  const rest = more > 0 ? [localize`And ${more} other values.`] : [];
  const hidden = unknown === 0 ? [] : [localize`Unknown values, which templates determine: ${unknown}.`];
  const using = selectors.first.map((place) => `${linkTo(place, place.name)} ${code(place.path)}`);
  const files = setBy.filter(({ by }) => by === 'kustomization' || by === 'chart' || by === 'patch');
  const setters = files.map(({ by, files: { count, first } }) => {
    const names = first.slice(0, 5).map((file) => linkTo({ file, line: 1 }, file));
    return `${by}: ${listText(names, count)}`;
  });
  return [
    `### ${code(key)}`,
    ...(statements.length === 0 ? [] : [statements.map(escapeMarkdown).join(' ')]),
    ...(shown.length === 0
      ? []
      : [tableOf([localize`Value`, localize`Objects`, localize`Pods`, localize`First on`], shown)]),
    ...rest,
    ...hidden,
    ...(using.length === 0 ? [] : [localize`Selectors: ${listText(using, selectors.count)}.`]),
    ...(setters.length === 0 ? [] : [localize`Set by ${setters.join('; ')}.`]),
  ].join('\n\n');
}

/** Returns the first items, and the number of the others. */
function listText(items: readonly string[], count: Counted<unknown>['count']): string {
  const more = count - items.length;
  return [...items, ...(more > 0 ? [localize`and ${more} others`] : [])].join(', ');
}

function tableOf(head: readonly string[], rows: readonly string[]): string {
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}

function row(cells: readonly string[]): string {
  // A vertical bar in inline code would end the cell.
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
