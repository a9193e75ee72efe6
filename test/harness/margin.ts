/** Parses margins: converts text with notes under its lines to clean files with named spans. */

import type { Severity } from '../../server/src/rules/framework/rule.ts';
import type { Span } from '../../server/src/text/span.ts';

/** A finding that the margin expects. */
export interface Announced {
  readonly span: Span;
  readonly severity: Severity;
  readonly rule: string;
  /** A part of the message. */
  readonly piece?: string;
  /** `deprecated`, `unnecessary`. */
  readonly tags: readonly string[];
  /** Names of spans that are its related information. */
  readonly related: readonly string[];
  /** The titles of all fixes it offers. */
  readonly fixes: readonly string[];
}

/** A file without its margin. */
export interface MarkedFile {
  readonly name: string;
  readonly text: string;
  readonly findings: readonly Announced[];
  readonly places: ReadonlyMap<string, Span>;
  /** The value of `#=`, the objects and labels that the rules examined: `2 objects, 5 labels`. */
  readonly looked?: string;
}

export type LineEnd = '\n' | '\r\n';

const severities = ['error', 'warning', 'information', 'hint'] as const;
const header = /^==> (.+) <==$/;
const marginLine = /^ *#(<?) *(~+|\^+)(?: (.*))?$/;
const lookedLine = /^#= (.+)$/;
const findingNote = /^(\w+) ([\w-]+)((?: \(\w+\))*)(?: "([^"]*)")?((?: → [^→[]*[^→[ ])*)((?: \[[^\]]*\])*)$/;

/** The files of a fixture in a test: indented like the code around it, each starting with a line `==> name <==`. */
export function readFixture(fixture: string, lineEnd: LineEnd = '\n'): readonly MarkedFile[] {
  const files: { readonly name: string; readonly lines: string[] }[] = [];
  for (const line of dedent(fixture)) {
    const name = header.exec(line)?.[1];
    if (name !== undefined) {
      files.at(-1)?.lines.push('');
      files.push({ name, lines: [] });
    } else if (files.length > 0) files.at(-1)?.lines.push(line);
    else files.push({ name: 'manifest.yaml', lines: [line] });
  }
  if (files.every((file) => file.lines.join('') === '')) throw new Error('The fixture is empty.');
  const names = files.map((file) => file.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two files of the fixture are called '${twice}'.`);
  return files.map((file) => readMargin(file.name, file.lines, lineEnd));
}

/** One file with its margin. */
export function readMargin(name: string, lines: readonly string[], lineEnd: LineEnd = '\n'): MarkedFile {
  const content: string[] = [];
  const marks: Mark[] = [];
  let looked: string | undefined;
  for (const line of lines) {
    const mark = markOf(line, content.length - 1);
    const described = lookedLine.exec(line)?.[1];
    if (mark !== undefined) marks.push(mark);
    else if (described !== undefined) looked = described;
    else content.push(line);
  }
  restoreBlanks(name, content, marks);
  const starts = lineStarts(content, lineEnd);
  const spanOf = (mark: Mark): Span => {
    const start = starts[mark.line] ?? 0;
    const length = content[mark.line]?.length ?? 0;
    return { start: start + mark.start, end: start + Math.min(mark.end, length) };
  };
  return {
    name,
    text: content.join(lineEnd),
    findings: marks.filter((mark) => mark.sign === '~').map((mark) => announced(name, mark, spanOf(mark))),
    places: placesOf(name, marks, spanOf),
    ...(looked !== undefined && { looked }),
  };
}

interface Mark {
  readonly sign: '~' | '^';
  /** The line above it. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly note: string;
}

function markOf(line: string, above: number): Mark | undefined {
  const found = marginLine.exec(line);
  if (found === null) return undefined;
  const [, reachesBack, signs = '', note = ''] = found;
  const first = line.indexOf(signs);
  return {
    sign: signs.startsWith('~') ? '~' : '^',
    line: above,
    start: reachesBack === '<' ? 0 : first,
    end: first + signs.length,
    note,
  };
}

/** Restores trailing blanks up to the caret, which an editor may have removed. */
function restoreBlanks(name: string, content: string[], marks: readonly Mark[]): void {
  for (const mark of marks) {
    const line = content[mark.line];
    if (line === undefined) throw new Error(`${name}: a margin note stands above the first line.`);
    const wanted = mark.end - mark.start === 1 ? mark.start : mark.end;
    if (mark.sign === '^') content[mark.line] = line.padEnd(wanted);
    else if (mark.end > line.length)
      throw new Error(`${name}:${mark.line + 1}: '~' reaches beyond the line '${line}'.`);
  }
}

function lineStarts(content: readonly string[], lineEnd: LineEnd): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const line of content) {
    starts.push(at);
    at += line.length + lineEnd.length;
  }
  return starts;
}

function announced(name: string, mark: Mark, span: Span): Announced {
  const where = `${name}:${mark.line + 1}`;
  const found = findingNote.exec(mark.note);
  if (found === null)
    throw new Error(`${where}: '${mark.note}' is no finding: LEVEL RULE (tag) "piece" → place [fix].`);
  const [, level = '', rule = '', tags = '', piece, places = '', titles = ''] = found;
  const severity = severities.find((each) => each === level);
  if (severity === undefined) throw new Error(`${where}: '${level}' is no level.`);
  return {
    span,
    severity,
    rule,
    tags: [...tags.matchAll(/\w+/g)].map((tag) => tag[0]),
    ...(piece !== undefined && { piece }),
    related: places.split(' → ').slice(1),
    fixes: [...titles.matchAll(/\[([^\]]*)\]/g)].map((title) => title[1] ?? ''),
  };
}

function placesOf(name: string, marks: readonly Mark[], spanOf: (mark: Mark) => Span): ReadonlyMap<string, Span> {
  const places = new Map<string, Span>();
  for (const mark of marks) {
    if (mark.sign !== '^') continue;
    const place = mark.note.trim();
    if (!/^[\w-]+$/.test(place)) throw new Error(`${name}:${mark.line + 1}: '${mark.note}' is no name for a place.`);
    if (places.has(place)) throw new Error(`${name}: two places are called '${place}'.`);
    places.set(place, spanOf(mark));
  }
  return places;
}

/** The lines of a template literal without their common indentation; its last, blank line ends the text. */
export function dedent(text: string): readonly string[] {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n[ \t]*$/, '\n')
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(indent));
}

/** The text of a template literal, without a trailing line end, for comparison with a result. */
export function lines(text: string): string {
  return dedent(text).join('\n').trimEnd();
}

/** The margin line of a finding, for the position under the line with its span. */
export function findingLine(line: string, column: number, length: number, finding: Announced): string {
  const indent = line.length - line.trimStart().length;
  const note = [
    `${finding.severity} ${finding.rule}`,
    ...finding.tags.map((tag) => `(${tag})`),
    ...(finding.piece === undefined ? [] : [`"${finding.piece}"`]),
    ...finding.related.map((place) => `→ ${place}`),
    ...finding.fixes.map((title) => `[${title}]`),
  ].join(' ');
  return `${markLine(indent, column, length, '~')} ${note}`;
}

/**
 * Signs under `length` characters from `column` on; the `#` is in the column where the line above begins, if there is
 * room.
 */
export function markLine(indent: number, column: number, length: number, sign: '~' | '^'): string {
  if (column >= 1) {
    const hash = Math.min(indent, column - 1);
    return `${' '.repeat(hash)}#${' '.repeat(column - hash - 1)}${sign.repeat(length)}`;
  }
  if (length < 3) throw new Error('The margin cannot show less than three characters at the first column.');
  return `#<${sign.repeat(length - 2)}`;
}
