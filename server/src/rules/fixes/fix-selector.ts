/** Removes, nests and adds parts of a selector in the style of the file. A function returns undefined if a safe edit is not possible. */

import type { LabelEntry, SelectorSite } from '../../manifests/model.ts';
import { removeLines, scalarText, wholeLines } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEnd } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { RequirementSite } from '../helpers/requirement-ranges.ts';

/** The parts of a selector, or of a single term of a node selector, that contain requirements. */
export type Requirements = Pick<SelectorSite, 'entries' | 'expressions' | 'text'>;

export function removeRequirement(text: string, site: Requirements, place: RequirementSite): Edit | undefined {
  if (place.piece !== undefined) return removePiece(text, site, place.piece);
  if (place.entry !== undefined) return removeItem(text, entrySpan(place.entry), site.entries.length, 'matchLabels');
  if (place.expression === undefined) return undefined;
  return removeItem(text, withDash(text, place.expression.span), site.expressions.length, 'matchExpressions');
}

function entrySpan({ key, value }: LabelEntry): Span {
  return { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
}

function withDash(text: string, span: Span): Span {
  const before = /-[ \t]+$/.exec(text.slice(Math.max(0, span.start - 50), span.start));
  return before === null ? span : { start: span.start - before[0].length, end: span.end };
}

/** Removes one of `count` items of a field; removes the whole field if it has only this item. */
function removeItem(text: string, span: Span, count: number, field: string): Edit | undefined {
  const line = text.lastIndexOf('\n', span.start - 1) + 1;
  if (text.slice(line, span.start).trim() !== '') return count > 1 ? removeFromFlow(text, span) : undefined;
  if (count > 1) return removeWholeLines(text, span);
  const before = text.lastIndexOf('\n', line - 2) + 1;
  if (text.slice(before, line).trim() !== `${field}:`) return undefined;
  return removeWholeLines(text, { start: before, end: span.end });
}

/** Removes an entry or item from a flow collection, together with the comma after it or, if there is none, the comma before it. */
function removeFromFlow(text: string, { start, end }: Span): Edit | undefined {
  const after = /^[ \t]*,[ \t]*/.exec(text.slice(end));
  if (after !== null) return { span: { start, end: end + after[0].length }, text: '' };
  const before = /,[ \t]*$/.exec(text.slice(Math.max(0, start - 200), start));
  return before === null ? undefined : { span: { start: start - before[0].length, end }, text: '' };
}

/** Removes a requirement from a selector string, together with an adjacent comma. */
function removePiece(text: string, { text: scalar }: Requirements, piece: Span): Edit | undefined {
  if (scalar === undefined || scalar.style === 'block') return undefined;
  const quotes = scalar.style === 'plain' ? 0 : 1;
  // If the string contains escapes, the offsets in its value differ from those in the file, so no edit is possible.
  const offset = scalar.span.start + quotes;
  if (text.slice(offset, scalar.span.end - quotes) !== scalar.text) return undefined;
  return removeFromFlow(text.slice(0, scalar.span.end - quotes), {
    start: offset + piece.start,
    end: offset + piece.end,
  });
}

/** Returns the edit that removes all lines of a span; undefined if these lines contain anything else except comments. */
export function removeWholeLines(text: string, span: Span): Edit | undefined {
  const lines = wholeLines(text, span);
  return lines && removeLines(text, lines);
}

export function nestUnder(text: string, site: SelectorSite, field: string): Edit | undefined {
  const { start, end } = site.span;
  if (text[start] === '{') return { span: site.span, text: `{${field}: ${text.slice(start, end)}}` };
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(line, start);
  if (indent.trim() !== '') return undefined;
  const nested = text.slice(start, end).replaceAll('\n', '\n  ');
  return { span: site.span, text: `${field}:${lineEnd(text)}${indent}  ${nested}` };
}

/** Adds a label to the labels that a selector requires: on the line after the last entry, or in its braces. */
export function addRequirement(text: string, site: SelectorSite, key: string, value: string): Edit | undefined {
  const last = site.entries.at(-1);
  if (last === undefined || last.merged || last.value.style === 'block') return undefined;
  const line = text.lastIndexOf('\n', last.key.span.start - 1) + 1;
  const before = text.slice(line, last.key.span.start);
  const quoted = text[last.key.span.start] === '"';
  const style = quoted ? 'double' : 'plain';
  const pair = `${scalarText(key, style)}: ${scalarText(value, style)}`;
  const at = last.value.span.end;
  if (before.trim() !== '' || quoted) return { span: { start: at, end: at }, text: `, ${pair}` };
  const next = text.slice(at).search(/\r?\n|$/);
  return { span: { start: at + next, end: at + next }, text: `${lineEnd(text)}${before}${pair}` };
}
