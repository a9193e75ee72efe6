/** Formats source lines with carets below a range, as compilers do. */

import type { ReportedSpan } from '../report/model.ts';
import { type Colorize, type Style, tame, widthOf } from './terminal-escape.ts';

/** The maximum width of a source line; a longer line is truncated around the range. */
const maximumWidth = 120;

/** The width of the text around a source line: its number, and the truncation marks. */
const beside = '  123 | ……'.length;

/** Formats the line with its number and the carets below, for a terminal of `columns` columns. */
export function excerptLines(
  { line, lineFrom, range }: ReportedSpan,
  colorize: Colorize,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  const room = Math.max(20, Math.min(maximumWidth, columns - beside));
  const number = String(range.start.line);
  const start = Math.min(range.start.column - 1 - lineFrom, line.length);
  const end =
    range.end.line === range.start.line ? Math.min(range.end.column - 1 - lineFrom, line.length) : line.length;
  const from = line.length > room ? characterAt(line, Math.max(0, start - Math.floor(room / 3))) : 0;
  const to = line.length > room ? characterAt(line, from + room) : line.length;
  const before = `${from + lineFrom > 0 ? '…' : ''}${line.slice(from, start)}`;
  const shown = `${before}${line.slice(start, to)}${to < line.length ? '…' : ''}`;
  const blank = [...tame(before)].map((each) => (each === '\t' ? '\t' : ' '.repeat(widthOf(each)))).join('');
  const width = [...tame(line.slice(start, Math.min(end, to)))].reduce((sum, each) => sum + widthOf(each), 0);
  const gutter = ' '.repeat(Math.max(0, 5 - number.length));
  const empty = ' '.repeat(gutter.length + number.length);
  return [
    `${colorize(`${gutter}${number} |`, 'dim')} ${tame(shown)}`.trimEnd(),
    `${colorize(`${empty} |`, 'dim')} ${blank}${colorize('^'.repeat(Math.max(1, width)), style, 'bold')}`,
  ];
}

/** Moves an offset inside of a surrogate pair to the start of the pair. */
function characterAt(line: string, offset: number): number {
  const code = line.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
