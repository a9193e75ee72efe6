/** Edits YAML with minimal changes that preserve quotes, indentation and line endings. */

import type { Edit } from '../../text/edit.ts';
import { contentEndAt, lineEnd, lineEndAt, nextLineAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { LabelEntry, LabelSite, Written } from '../model.ts';
import { needsQuotes } from '../yaml/scalar-types.ts';

/** Replaces a key or value with a different string. The quotes are preserved, and added if the new string requires them. */
export function replaceScalar(scalar: Written, text: string): Edit {
  // In a command, quotes surround the whole word, so only the text between them is replaced.
  if (scalar.letters !== undefined) return { span: scalar.span, text: scalar.letters.escape?.(text) ?? text };
  return { span: scalar.span, text: scalarText(text, scalar.style === 'block' ? 'plain' : scalar.style) };
}

/** Quotes a scalar without changing its text: `1.10` becomes `"1.10"`. */
export function quoteAsTyped(scalar: Written): Edit {
  return { span: scalar.span, text: JSON.stringify(scalar.text) };
}

/** Returns a string as a YAML scalar in a given style. A plain scalar is quoted if it would otherwise be parsed differently. */
export function scalarText(text: string, style: 'plain' | 'single' | 'double'): string {
  if (style === 'single' && !/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
  if (style === 'plain' && !needsQuotes(text)) return text;
  return JSON.stringify(text);
}

/** Removes an entry from its map; undefined if the syntax around the entry does not allow a safe edit. */
export function removeEntry(text: string, entry: LabelEntry, site: LabelSite): Edit | undefined {
  const span = { start: entry.key.span.start, end: entry.value.span.end };
  const removed = removeWritten(text, span, isFlow(text, site));
  if (removed === undefined || isFlow(text, site) || site.entries.length > 1) return removed;
  const map = text.lastIndexOf('\n', site.keySpan.start - 1) + 1;
  if (text.slice(map, site.keySpan.start).trim() !== '') return undefined;
  return { span: { start: map, end: removed.span.end }, text: '' };
}

/** Returns the edit that removes a key and its value from a map that has other entries; undefined if their lines contain anything else. `flow` must be set for a flow map. */
export function removeWritten(text: string, { start, end }: Span, flow: boolean): Edit | undefined {
  if (flow) return removeFromFlow(text, start, end);
  // The span of a block scalar includes its last line break.
  const span = wholeLines(text, { start, end: text[end - 1] === '\n' ? end - 1 : end });
  return span && { span, text: '' };
}

/** Returns the span of all lines of a span; undefined if these lines contain anything else except comments. */
export function wholeLines(text: string, { start, end }: Span): Span | undefined {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const tail = text.slice(end, lineEndAt(text, end));
  if (text.slice(line, start).trim() !== '' || !/^\s*(#[^\n]*)?$/.test(tail)) return undefined;
  return { start: line, end: nextLineAt(text, end) };
}

/** Returns an edit that removes whole lines. If they contain the last entry of a collection in braces or brackets, the comma before them is removed, too, because JSON has no trailing commas. */
export function removeLines(text: string, lines: Span): Edit {
  const before = text.slice(0, lines.start).trimEnd();
  const isLast = /^\s*[}\]]/.test(text.slice(lines.end, lines.end + 200)) && before.endsWith(',');
  if (!isLast) return { span: lines, text: '' };
  const lineBreak = /\r?\n$/.exec(text.slice(lines.start, lines.end))?.[0].length ?? 0;
  return { span: { start: before.length - 1, end: lines.end - lineBreak }, text: '' };
}

/** Removes an entry from a flow map, together with the comma after it or, if there is none, the comma before it. */
function removeFromFlow(text: string, start: number, end: number): Edit {
  const after = /^\s*,\s*/.exec(text.slice(end));
  if (after !== null) return { span: { start, end: end + after[0].length }, text: '' };
  const before = /,\s*$/.exec(text.slice(Math.max(0, start - 200), start));
  return { span: { start: start - (before?.[0].length ?? 0), end }, text: '' };
}

/** Adds an annotation to the object of a label map: to `annotations` if this field exists, otherwise in a new field above the labels. */
export function addAnnotation(
  text: string,
  annotations: LabelSite | undefined,
  labels: LabelSite,
  key: string,
  value: string,
): Edit {
  if (annotations !== undefined) return addEntry(text, annotations, key, value);
  const at = labels.keySpan.start;
  const quoted = text[at] === '"';
  if (isInFlow(text, labels)) {
    const pair = `${quoted ? '"annotations"' : 'annotations'}: {${pairText(key, value, quoted)}}, `;
    return { span: { start: at, end: at }, text: pair };
  }
  const end = lineEnd(text);
  const indent = indentAt(text, at);
  const line = at - indent.length;
  const lines = `annotations:${end}${indent}  ${pairText(key, value, false)}${end}`;
  // The insertion is at the start of the line, so that it does not overlap an edit that removes the labels.
  if (text.slice(line, at).trim() === '') return { span: { start: line, end: line }, text: `${indent}${lines}` };
  return { span: { start: at, end: at }, text: `${lines}${indent}` };
}

export function addEntry(text: string, site: LabelSite, key: string, value: string): Edit {
  const last = site.entries.at(-1);
  if (isFlow(text, site)) {
    const quoted = text[(last?.key.span ?? site.keySpan).start] === '"';
    const at = last?.value.span.end ?? site.span.start + 1;
    return { span: { start: at, end: at }, text: `${last === undefined ? '' : ', '}${pairText(key, value, quoted)}` };
  }
  const end = lineEnd(text);
  if (last === undefined) {
    const at = text.indexOf(':', site.keySpan.end) + 1;
    const indent = indentAt(text, site.keySpan.start);
    return { span: { start: at, end: at }, text: `${end}${indent}  ${pairText(key, value, false)}` };
  }
  const at = contentEndAt(text, last.value.span.end);
  return {
    span: { start: at, end: at },
    text: `${end}${indentAt(text, last.key.span.start)}${pairText(key, value, false)}`,
  };
}

function pairText(key: string, value: string, quoted: boolean): string {
  const style = quoted ? 'double' : 'plain';
  return `${scalarText(key, style)}: ${scalarText(value, style)}`;
}

function isFlow(text: string, site: LabelSite): boolean {
  return text[site.span.start] === '{';
}

/** Whether the site is in a flow map, that is, whether a comma or closing brace follows it. */
function isInFlow(text: string, site: LabelSite): boolean {
  return isFlow(text, site) && /^(?:\s|#[^\n]*\n)*[,}]/.test(text.slice(site.span.end, site.span.end + 1000));
}

function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return ' '.repeat(offset - line);
}
