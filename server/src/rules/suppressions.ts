/** Which rules did the author silence, where, and until when? By a comment, or by an annotation on the object. */

import type { LabelEntry, LabelSite, Manifest, ManifestObject } from '../manifests/manifest.ts';
import { mask } from '../manifests/masks.ts';
import { readComments } from '../manifests/read-yaml.ts';
import type { Span } from '../text/span.ts';

const disableAnnotation = 'selector-lens/disable';

/** What a comment may begin with, and how far it reaches. */
export const directives = {
  'selector-lens-disable-next-line': 'next-line',
  'selector-lens-disable-line': 'line',
  'selector-lens-disable-file': 'file',
} as const;

type Reach = (typeof directives)[keyof typeof directives] | 'object';

/** The word that stands for every rule. */
export const everyRule = 'all';

export interface Suppression {
  readonly reach: Reach;
  /** It silences what begins in here. */
  readonly area: Span;
  /** The comment from its `#`, or the value of the annotation. */
  readonly span: Span;
  readonly rules: readonly NamedRule[];
  readonly until?: Until;
  /** Where it is an annotation. */
  readonly annotation?: { readonly entry: LabelEntry; readonly site: LabelSite };
}

/** A rule as a suppression names it; `all` among them. */
export interface NamedRule {
  readonly name: string;
  readonly span: Span;
}

export interface Until {
  readonly text: string;
  readonly span: Span;
  /** `invalid` where it is no date: then it silences all the same. */
  readonly state: 'ahead' | 'past' | 'invalid';
}

/** A comment that looks like a suppression and is none. */
interface Misspelt {
  readonly directive: string;
  readonly span: Span;
}

export interface Suppressions {
  readonly all: readonly Suppression[];
  readonly misspelt: readonly Misspelt[];
}

export const noSuppressions: Suppressions = { all: [], misspelt: [] };

/** Reads those of a file; `today` tells which have expired. */
export function readSuppressions(text: string, manifest: Manifest, today: string): Suppressions {
  const comments = text.includes('selector-lens-disable')
    ? inComments(text, today)
    : { suppressions: [], misspelt: [] };
  const annotations = manifest.objects.flatMap((object) => inAnnotations(text, object, today));
  return { all: [...comments.suppressions, ...annotations], misspelt: comments.misspelt };
}

/** `#!` is how ytt wants its comments. */
const opening = /^#+!?[ \t]*(selector-lens-disable[\w-]*)/;

function inComments(text: string, today: string) {
  const suppressions: Suppression[] = [];
  const misspelt: Misspelt[] = [];
  const masked = mask(text);
  for (const comment of readComments(masked)) {
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
    const said = readWords(text, { start: at + directive.length, end: comment.end }, today);
    suppressions.push({ reach, area: areaOf(reach, masked.text, comment), span: comment, ...said });
  }
  return { suppressions, misspelt };
}

function isDirective(word: string): word is keyof typeof directives {
  return Object.hasOwn(directives, word);
}

/** `masked` has blanks where a template action stands alone on its line: that is no line that anything is found on. */
function areaOf(reach: Reach, masked: string, comment: Span): Span {
  if (reach === 'file') return { start: 0, end: masked.length };
  if (reach === 'line') return { start: masked.lastIndexOf('\n', comment.start - 1) + 1, end: comment.end };
  for (let start = nextLine(masked, comment.end); start < masked.length; start = nextLine(masked, start)) {
    const end = nextLine(masked, start);
    if (!/^\s*(?:#|$)/.test(masked.slice(start, end))) return { start, end };
  }
  return { start: masked.length, end: masked.length };
}

function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function inAnnotations(text: string, object: ManifestObject, today: string): readonly Suppression[] {
  const site = object.labelSites.find((each) => each.path === 'metadata.annotations');
  const entry = site?.entries.findLast((each) => each.key.text === disableAnnotation);
  if (site === undefined || typeof entry?.value.value !== 'string') return [];
  const { span, text: value } = entry.value;
  const written = readWords(value, { start: 0, end: value.length }, today);
  // What is escaped or folded does not stand in the text as it is meant: then the whole value is shown.
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

/** `RULE, RULE: reason until=YYYY-MM-DD`. */
function readWords(text: string, span: Span, today: string): Pick<Suppression, 'rules' | 'until'> {
  const until = untilAtEnd(text, span, today);
  const end = until?.span.start ?? span.end;
  const words = text.slice(0, end);
  const rules: NamedRule[] = [];
  nameAndComma.lastIndex = span.start;
  for (let found = nameAndComma.exec(words); found !== null; found = nameAndComma.exec(words)) {
    const name = found[1] ?? '';
    const start = found.index + found[0].indexOf(name);
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

/** Does a suppression that counts silence this rule at this place? The rules it names that do. */
export function silencing(suppressions: Suppressions, rule: string, span: Span): readonly NamedRule[] {
  return suppressions.all
    .filter(({ area, until }) => until?.state !== 'past' && area.start <= span.start && span.start < area.end)
    .flatMap(({ rules }) => rules.filter(({ name }) => name === rule || name === everyRule));
}
