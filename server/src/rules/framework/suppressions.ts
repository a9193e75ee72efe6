/** Parses suppressions: comments, or annotations on objects, that disable rules in part of a file, optionally until a given date. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, LabelSite, Manifest, ManifestObject } from '../../manifests/model.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { readComments } from '../../manifests/yaml/parse-yaml.ts';
import { nextLineAt } from '../../text/lines.ts';
import { countBefore } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';

const disableAnnotation = 'selector-lens/disable';

/** The directives with which a suppression comment can begin, each with the part of the file to which it applies. */
export const directives = {
  'selector-lens-disable-next-line': 'next-line',
  'selector-lens-disable-line': 'line',
  'selector-lens-disable-file': 'file',
} as const;

type Reach = (typeof directives)[keyof typeof directives] | 'object';

/** The word that a suppression contains instead of the names of all rules. */
export const everyRule = 'all';

export interface Suppression {
  readonly reach: Reach;
  /** The range of the file in which findings are suppressed if they begin there. */
  readonly area: Span;
  /** The span of the comment, beginning with its `#`, or of the value of the annotation. */
  readonly span: Span;
  readonly rules: readonly NamedRule[];
  readonly until?: Until;
  /** The entry and its map, if the suppression is an annotation instead of a comment. */
  readonly annotation?: { readonly entry: LabelEntry; readonly site: LabelSite };
}

/** The name of a rule in a suppression, or `all`. */
export interface NamedRule {
  readonly name: string;
  readonly span: Span;
}

export interface Until {
  readonly text: string;
  readonly span: Span;
  /**
   * Whether the end date of the suppression is today or later (`ahead`) or has passed. If it is `invalid` (not a date),
   * the suppression remains in effect.
   */
  readonly state: 'ahead' | 'past' | 'invalid';
}

/** A comment that looks like a suppression but has an invalid directive. */
interface Misspelt {
  readonly directive: string;
  readonly span: Span;
}

export interface Suppressions {
  readonly all: readonly Suppression[];
  readonly misspelt: readonly Misspelt[];
}

export const noSuppressions: Suppressions = { all: [], misspelt: [] };

/** Parses the suppressions of a file. Suppressions that ended before `today` have expired. */
export function readSuppressions(text: string, manifest: Manifest, today: string): Suppressions {
  const comments = text.includes('selector-lens-disable')
    ? inComments(text, today)
    : { suppressions: [], misspelt: [] };
  const annotations = manifest.objects.flatMap((object) => inAnnotations(text, object, today));
  return { all: [...comments.suppressions, ...annotations], misspelt: comments.misspelt };
}

/** In ytt, comments begin with `#!`. */
const opening = /^#+!?[ \t]*(selector-lens-disable[\w-]*)/;

function inComments(text: string, today: string) {
  const suppressions: Suppression[] = [];
  const misspelt: Misspelt[] = [];
  const blanked = blankManifest(text);
  const areaAfter = nextLineAreas(blanked.text);
  for (const comment of readComments(blanked)) {
    const source = text.slice(comment.start, comment.end);
    const found = opening.exec(source);
    if (found === null) continue;
    const directive = found[1] ?? '';
    const at = comment.start + found[0].length - directive.length;
    if (!isDirective(directive)) {
      misspelt.push({ directive, span: { start: at, end: at + directive.length } });
      continue;
    }
    const reach = directives[directive];
    const described = readWords(text, { start: at + directive.length, end: comment.end }, today);
    suppressions.push({ reach, area: areaOf(reach, blanked.text, comment, areaAfter), span: comment, ...described });
  }
  return { suppressions, misspelt };
}

function isDirective(word: string): word is keyof typeof directives {
  return Object.hasOwn(directives, word);
}

/** Returns the range to which a suppression applies. In `blanked`, template actions that are alone on their lines are replaced with spaces, because there are no findings on such lines. */
function areaOf(reach: Reach, blanked: string, comment: Span, areaAfter: (offset: number) => Span): Span {
  if (reach === 'file') return { start: 0, end: blanked.length };
  if (reach === 'line') return { start: blanked.lastIndexOf('\n', comment.start - 1) + 1, end: comment.end };
  return areaAfter(comment.end);
}

/** Returns a function that finds the first line after an offset that contains more than a comment. It must be called with offsets in ascending order. */
function nextLineAreas(blanked: string): (offset: number) => Span {
  let known: { readonly from: number; readonly area: Span } | undefined;
  return (offset) => {
    const from = nextLineAt(blanked, offset);
    if (known === undefined || from < known.from || from > known.area.start)
      known = { from, area: lineFrom(blanked, from) };
    return known.area;
  };
}

function lineFrom(blanked: string, from: number): Span {
  for (let start = from; start < blanked.length; start = nextLineAt(blanked, start)) {
    const end = nextLineAt(blanked, start);
    if (!/^\s*(?:#|$)/.test(blanked.slice(start, end))) return { start, end };
  }
  return { start: blanked.length, end: blanked.length };
}

function inAnnotations(text: string, object: ManifestObject, today: string): readonly Suppression[] {
  const site = object.labelSites.find((each) => each.path === 'metadata.annotations');
  const entry = site?.entries.findLast((each) => each.key.text === disableAnnotation);
  if (site === undefined || typeof entry?.value.value !== 'string') return [];
  const { span, text: value } = entry.value;
  const written = readWords(value, { start: 0, end: value.length }, today);
  // In escaped or folded text, the positions of rule names are unknown, so each name has the span of the whole value.
  const at = text.slice(span.start, span.end).indexOf(value);
  const place = (part: Span): Span =>
    at === -1 ? span : { start: span.start + at + part.start, end: span.start + at + part.end };
  return [
    {
      reach: 'object',
      area: object.span,
      span,
      rules: written.rules.map((each) => ({ ...each, span: place(each.span) })),
      ...(written.until && { until: { ...written.until, span: place(written.until.span) } }),
      annotation: { entry, site },
    },
  ];
}

const nameAndComma = /[ \t\n]*([\w-]+)[ \t\n]*(,?)/y;

/** Parses the text of a suppression after its directive: `RULE, RULE: reason until=YYYY-MM-DD`. */
function readWords(text: string, span: Span, today: string): Pick<Suppression, 'rules' | 'until'> {
  const until = untilAtEnd(text, span, today);
  const end = until?.span.start ?? span.end;
  const words = text.slice(span.start, end);
  const rules: NamedRule[] = [];
  nameAndComma.lastIndex = 0;
  for (let found = nameAndComma.exec(words); found !== null; found = nameAndComma.exec(words)) {
    const name = found[1] ?? '';
    const start = span.start + found.index + found[0].indexOf(name);
    rules.push({ name, span: { start, end: start + name.length } });
    if (found[2] === '') break;
  }
  return { rules, ...(until && { until }) };
}

const untilWord = 'until=';

function untilAtEnd(text: string, span: Span, today: string): Until | undefined {
  const source = text.slice(span.start, span.end).trimEnd();
  const at = source.lastIndexOf(untilWord);
  const date = source.slice(at + untilWord.length);
  if (at === -1 || /\s/.test(date) || !/(?:^|[\s:;,.(])$/.test(source.slice(0, at))) return undefined;
  const start = span.start + at;
  return {
    text: date,
    span: { start, end: start + untilWord.length + date.length },
    state: !isDate(date) ? 'invalid' : date < today ? 'past' : 'ahead',
  };
}

function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The occurrences of a rule name in suppressions with the same range. If one of them is used, all of them are. */
export interface SuppressionGroup {
  readonly name: string;
  readonly area: Span;
  readonly rules: NamedRule[];
}

/** An index of the suppressions in a file, which finds the suppressions of a finding efficiently. */
export class SuppressionIndex {
  /**
   * The groups by rule name. They are sorted by the start of their range, and each group is stored with the greatest
   * end of all ranges up to this group.
   */
  readonly #groups = new Map<string, { readonly group: SuppressionGroup; readonly reach: number }[]>();

  constructor({ all }: Suppressions) {
    const known = new Map<string, SuppressionGroup>();
    for (const { area, until, rules } of all) {
      if (until?.state === 'past') continue;
      for (const rule of rules) {
        const key = `${rule.name} ${area.start} ${area.end}`;
        getOrAdd(known, key, () => ({ name: rule.name, area, rules: [] })).rules.push(rule);
      }
    }
    for (const group of [...known.values()].toSorted((a, b) => a.area.start - b.area.start)) {
      const before = getOrAdd(this.#groups, group.name, () => []);
      before.push({ group, reach: Math.max(group.area.end, before.at(-1)?.reach ?? 0) });
    }
  }

  /** Returns the groups that suppress findings of a rule at a position, including groups that suppress all rules. */
  of(rule: string, { start }: Span): readonly SuppressionGroup[] {
    return [rule, everyRule].flatMap((name) => {
      const groups = this.#groups.get(name) ?? [];
      const found: SuppressionGroup[] = [];
      for (let at = lastUpTo(groups, start); at >= 0; at--) {
        const each = groups[at];
        if (each === undefined || each.reach <= start) break;
        if (start < each.group.area.end) found.push(each.group);
      }
      return found;
    });
  }
}

/** Returns the index of the last group whose range begins at or before an offset; -1 if there is none. */
function lastUpTo(groups: readonly { readonly group: SuppressionGroup }[], start: number): number {
  return countBefore(groups, ({ group }) => group.area.start <= start) - 1;
}
