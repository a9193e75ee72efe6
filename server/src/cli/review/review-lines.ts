/** Formats a review as text for a terminal, and as Markdown for a comment. */

import { escapeMarkdown, link, sentenceMarkdown } from '../../features/presentation/markdown.ts';
import type { World } from '../environment.ts';
import { counted } from '../output/counts.ts';
import { colorizer, tameLine } from '../output/terminal-escape.ts';
import type { Cause } from './causes.ts';
import type { Review, Section, SectionId, Statement } from './model.ts';
import { exampleNames } from './places.ts';
import { withSharedCauses } from './shared-causes.ts';

/** The maximum number of statements of one section on a terminal. */
const mostItems = 50;

const styles: Partial<Readonly<Record<SectionId, 'red' | 'green' | 'yellow'>>> = {
  refused: 'red',
  lost: 'red',
  broken: 'red',
  opened: 'yellow',
  gained: 'green',
};

interface Brief extends Review {
  /** The causes of several statements. */
  readonly causes: readonly Statement[];
}

const causeTitle = 'Cause';

/** Names the scopes or namespaces of each statement only where they differ from those of an earlier statement, and states a cause of several statements once. */
function withoutRepetitions(review: Review): Brief {
  const seen = new Set<string>();
  const brief = (item: Statement): Statement => {
    const names = item.places && exampleNames(item.places);
    if (names === undefined) return item;
    const key = JSON.stringify(item.places);
    if (seen.has(key)) return { ...item, text: item.text.replace(names, '').replace(/\b(in) (?=\d)/i, '$1 the same ') };
    seen.add(key);
    return item;
  };
  const { causes, sections } = withSharedCauses(review.sections);
  return { ...review, causes, sections: sections.map((each) => ({ ...each, items: each.items.map(brief) })) };
}

/** Returns the lines for a terminal: the verdict, then each section. */
export function reviewText(world: World, full: Review): readonly string[] {
  const review = withoutRepetitions(full);
  const colorize = colorizer(world.colours === true);
  const lines = [colorize(tameLine(review.verdict), 'bold')];
  const line = ({ text, cause, more }: Statement) =>
    tameLine(`  ${text.slice(0, -1)}${suffix(cause)}.${more === undefined ? '' : ` ${more}`}`);
  if (review.causes.length > 0) lines.push('', colorize(causeTitle, 'bold'), ...review.causes.map(line));
  for (const { id, title, items } of review.sections) {
    const style = styles[id];
    const shown = tameLine(title);
    lines.push('', style === undefined ? colorize(shown, 'bold') : colorize(shown, style, 'bold'));
    lines.push(...items.slice(0, mostItems).map(line));
    if (items.length > mostItems) lines.push(`  And ${items.length - mostItems} more.`);
  }
  if (review.notes.length > 0) {
    lines.push('', ...review.notes.slice(0, mostItems).map((each) => line(each).trimStart()));
    if (review.notes.length > mostItems) lines.push(`And ${review.notes.length - mostItems} more.`);
  }
  return [...lines, '', ...completeness(review).map((line) => tameLine(line))];
}

function suffix(cause: Cause | undefined): string {
  return cause === undefined ? '' : ` (${shownCause(cause)})`;
}

function shownCause({ path, line, isBefore }: Cause): string {
  return `${path}:${line}${isBefore ? ' before the change' : ''}`;
}

function completeness({ isComplete, evaluated, unchanged, coverage, notEvaluated }: Review): readonly string[] {
  const equal =
    unchanged.length === 0
      ? ''
      : ` Not evaluated, but with the same version, values and files as before: ${listed(unchanged, mostUnchanged)}.`;
  if (isComplete)
    return [
      equal === '' ? `Everything in these manifests was evaluated: ${evaluated}.` : `Evaluated: ${evaluated}.${equal}`,
    ];
  const shown = notEvaluated.slice(0, mostReasons);
  const more = notEvaluated.length - shown.length;
  const reasons = `Not evaluated: ${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
  return [`${coverage === undefined ? '' : `${coverage} `}${reasons}${equal}`];
}

const mostReasons = 3;
const mostUnchanged = 6;

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

/** The maximum number of statements before the details. */
const mostShown = 7;
/** The maximum length of a comment, in UTF-16 code units; GitHub accepts 65,536 characters. */
const maximumComment = 60_000;

/** Returns the address of the line of a cause. */
type LinkTo = (cause: Cause) => string | undefined;

/** Returns the lines of a comment: at most 15 before the details, and at most `maximumComment` characters. A comment contains no links; in an editor, `linkTo` adds links to lines. */
export function reviewMarkdown(full: Review, linkTo: LinkTo = () => undefined): readonly string[] {
  const review = withoutRepetitions(full);
  const statements = review.sections.flatMap(({ id, title, items }) => items.map((item) => ({ id, title, item })));
  const shown = chosen(review.sections);
  const notes = review.notes.slice(0, mostShown - shown.length);
  const lines = [
    '### What this change means',
    '',
    `**${escapeMarkdown(review.verdict)}**`,
    ...(shown.length + notes.length === 0 ? [] : ['']),
    ...review.causes.map((each) => bullet(each, linkTo, causeTitle)),
    ...shown.map(({ title, item }) => bullet(item, linkTo, title)),
    ...notes.map((each) => bullet(each, linkTo)),
    '',
    ...completeness(review).map((line) => escapeMarkdown(line)),
  ];
  if (statements.length === shown.length && notes.length === review.notes.length) return lines;
  return [...lines, '', ...details(withNotes(review), linkTo, maximumComment - lengthOf(lines) - reserve)];
}

/** Returns the sections, and the notes as the last one. */
function withNotes({ sections, notes }: Review): readonly Pick<Section, 'title' | 'items'>[] {
  return notes.length === 0 ? sections : [...sections, { title: 'Other changes', items: notes }];
}

/** Characters for the lines around the details. */
const reserve = 200;

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** Chooses the statements before the details: at least one of each section if there is space, then the first ones. */
function chosen(sections: readonly Section[]) {
  const left = sections.slice(0, mostShown).map(() => 1);
  let free = mostShown - left.length;
  for (const [index, { items }] of sections.slice(0, mostShown).entries()) {
    const more = Math.min(free, items.length - 1);
    left[index] = 1 + more;
    free -= more;
  }
  return sections.flatMap(({ title, items }, index) =>
    items.slice(0, left[index] ?? 0).map((item) => ({ title, item })),
  );
}

function bullet(item: Statement, linkTo: LinkTo, title?: string): string {
  const start = title === undefined ? '' : `**${escapeMarkdown(title)}**: `;
  const target = item.cause && linkTo(item.cause);
  const where =
    item.cause === undefined || target === undefined
      ? escapeMarkdown(suffix(item.cause))
      : ` (${link(shownCause(item.cause), target)})`;
  const end = item.more === undefined ? '' : ` ${sentenceMarkdown(item.more)}`;
  return `- ${start}${sentenceMarkdown(item.text.slice(0, -1))}${where}.${end}`;
}

function details(
  sections: readonly Pick<Section, 'title' | 'items'>[],
  linkTo: LinkTo,
  maximum: number,
): readonly string[] {
  const lines = ['<details>', '<summary>All changes</summary>', ''];
  let left = maximum - lengthOf(lines);
  for (const { title, items } of sections) {
    const heading = [`#### ${escapeMarkdown(title)}`, ''];
    left -= lengthOf(heading);
    if (left < 0) break;
    lines.push(...heading);
    let written = 0;
    for (const item of items) {
      const line = bullet(item, linkTo);
      left -= line.length + 1;
      if (left < 0) break;
      lines.push(line);
      written++;
    }
    if (written < items.length) lines.push(`- And ${counted(items.length - written, 'more change')}.`);
    lines.push('');
  }
  return [...lines, '</details>'];
}
