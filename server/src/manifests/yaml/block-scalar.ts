/** Determines the lines and values of scalars that span several lines. */

import type { Span } from '../../text/span.ts';
import { blank, carriageReturn, dash, hash, lineFeed, plus } from './characters.ts';

/** Returns the offset after the line that contains `at`. */
export function afterLine(text: string, at: number, end: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? end : Math.min(found + 1, end);
}

/** Returns the offset of the first character of a line that is not a space, and whether the line is empty. */
function contentOf(text: string, { start, end }: Span): { readonly at: number; readonly isEmpty: boolean } {
  let at = start;
  while (at < end && text.charCodeAt(at) === blank) at++;
  const code = at < end ? text.charCodeAt(at) : lineFeed;
  return { at, isEmpty: code === lineFeed || code === carriageReturn };
}

/** Returns the next line of a plain scalar: its offset, and the number of empty lines before it. The line must be indented more than `parent`; undefined if the scalar has no further line. */
export function nextPlainLine(
  text: string,
  { start, end }: Span,
  parent: number,
): { readonly at: number; readonly empty: number } | undefined {
  let line = afterLine(text, start, end);
  for (let empty = 0; line < end; empty++) {
    const { at, isEmpty } = contentOf(text, { start: line, end });
    if (!isEmpty) return text.charCodeAt(at) === hash || at - line <= parent ? undefined : { at, empty };
    line = afterLine(text, at, end);
  }
  return undefined;
}

/** Returns the lines of a block scalar without their indentation, and the end offset of the last line. The lines are indented by `given`, or else more than `parent`. Undefined if there are no lines, or if they use syntax that the fast parser does not support. */
export function linesOfBlock(
  text: string,
  { start, end }: Span,
  parent: number,
  given = -1,
): { readonly lines: readonly string[]; readonly end: number } | undefined {
  const lines: string[] = [];
  let indent = given;
  let hasContent = false;
  let widest = 0;
  let line = start;
  while (line < end) {
    const { at, isEmpty } = contentOf(text, { start: line, end });
    const column = at - line;
    // It is ambiguous whether blanks at the end of the text belong to the scalar, so the document is parsed by the
    // libraries.
    if (at === end && column > 0) return undefined;
    if (indent === -1 && isEmpty) widest = Math.max(widest, column);
    else if (indent === -1) {
      if (column <= parent || column < widest) return undefined;
      indent = column;
    } else if (!isEmpty && column < indent) break;
    hasContent ||= !isEmpty;
    const next = afterLine(text, at, end);
    const lineEnd = endOfLine(text, at, next);
    lines.push(indent === -1 ? '' : text.slice(Math.min(line + indent, lineEnd), lineEnd));
    line = next;
  }
  return hasContent ? { lines, end: line } : undefined;
}

/** Returns the offset of the line's end, before the line break; `next` is the start of the next line. */
function endOfLine(text: string, start: number, next: number): number {
  let end = next;
  if (end > start && text.charCodeAt(end - 1) === lineFeed) end--;
  if (end > start && text.charCodeAt(end - 1) === carriageReturn) end--;
  return end;
}

/** Returns the value of a block scalar, given its lines without their indentation. */
export function blockText(lines: readonly string[], folded: boolean, chomping: number | undefined): string {
  const beyond = lines.findLastIndex((line) => line !== '') + 1;
  const written = lines.slice(0, beyond);
  const text = folded ? foldedText(written) : written.join('\n');
  if (chomping === dash) return text;
  return text + (chomping === plus ? '\n'.repeat(lines.length - beyond + 1) : '\n');
}

/** Returns the text of a folded block scalar: adjacent lines are joined, except lines with additional indentation. */
function foldedText(lines: readonly string[]): string {
  const pieces: string[] = [];
  let empty = 0;
  let isFirst = true;
  let wasDeeper = false;
  for (const line of lines) {
    if (line === '') {
      empty++;
      continue;
    }
    const isDeeper = line.startsWith(' ') || line.startsWith('\t');
    const breaks = isFirst ? empty : !isDeeper && !wasDeeper ? empty : empty + 1;
    pieces.push(breaks === 0 && !isFirst ? ' ' : '\n'.repeat(breaks), line);
    [empty, isFirst, wasDeeper] = [0, false, isDeeper];
  }
  return pieces.join('');
}
