/** Converts between offsets and positions (line and character). Lines end in LF, CRLF or CR, as in LSP. */

import type { Span } from './span.ts';

export interface Position {
  /** From 0. */
  readonly line: number;
  /** The character in the line, from 0, in UTF-16 code units. */
  readonly character: number;
}

/** The offsets at which the lines of a text start. */
export type LineTable = readonly number[];

/** Returns the offsets (in UTF-16 code units) at which the lines of a text start. The first is 0. */
export function lineTable(text: string): LineTable {
  const starts = [0];
  let feed = text.indexOf('\n');
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
    if (feed !== at + 1) starts.push(at + 1);
  }
  for (; feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}

/** Returns the line and character of an offset; an offset past the end is on the last line. */
export function offsetToPosition(lines: LineTable, offset: number): Position {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (lines[low] ?? 0) };
}

export function rangeOf(lines: LineTable, span: Span): { readonly start: Position; readonly end: Position } {
  return { start: offsetToPosition(lines, span.start), end: offsetToPosition(lines, span.end) };
}

/** Returns the offset of a line and character (both from 0), or the end of the text if the line does not exist. */
export function positionToOffsetOf(lines: LineTable, position: Position, textLength: number): number {
  const start = lines[position.line];
  if (start === undefined) return textLength;
  const next = lines[position.line + 1] ?? textLength + 1;
  return Math.max(start, Math.min(start + position.character, next - 1, textLength));
}

/** Returns the part of a span on its first line. */
export function firstLineOf(text: string, span: Span): Span {
  const length = text.slice(span.start, span.end).search(/[\r\n]/);
  return length === -1 ? span : { start: span.start, end: span.start + length };
}

/** Returns the number of the line that contains an offset of a text, counted from 1. */
export function lineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Returns the line ending of a text, as found after its first line. */
export function lineEnd(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** Returns the offset of the line feed at the end of the line of an offset, or the end of the text. */
export function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** Returns the offset of the end of the line of an offset, before its line break. */
export function contentEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the offset of the line after the line of an offset, or the end of the text. */
export function nextLineAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
