/** Finds block scalars and quoted scalars line by line in text that contains template actions and so cannot be parsed as YAML yet. The content of such a scalar cannot change the structure of the document. */

import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';

/** Matches the text before a value on its line: the dashes of list items, and a key with its colon. */
const lead =
  /^[ \t]*(?:-[ \t]+)*(?:(?:"(?:[^"\\\n]|\\.){0,300}"|'[^'\n]{0,300}'|[\w./-][\w./ -]{0,300}?)[ \t]*:[ \t]+)?/;
const blockHeader = /^(?:![^\s]{0,100}[ \t]+)?(?:&[^\s]{1,100}[ \t]+)?[|>][+\-\d]{0,2}[ \t]*(?:#[^\n]*)?\r?$/;

/** Returns the spans of block scalars without their headers, and of quoted scalars including their quotes, in order. Scalars inside flow collections, and quotes that are not closed in their document, are omitted. */
export function scalarSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  while (start < text.length) {
    const end = lineEndAt(text, start);
    const line = text.slice(start, end);
    const before = lead.exec(line)?.[0] ?? '';
    const value = line.slice(before.length);
    if (blockHeader.test(value)) {
      const until = blockEnd(text, end + 1, columnOfParent(before));
      if (until > end) spans.push({ start: end, end: until });
      start = Math.max(until, end) + 1;
      continue;
    }
    const opened = start + before.length;
    const closed = value.startsWith('"') || value.startsWith("'") ? quoteEnd(text, opened) : undefined;
    if (closed === undefined) {
      start = end + 1;
      continue;
    }
    spans.push({ start: opened, end: closed });
    start = lineEndAt(text, closed) + 1;
  }
  return spans;
}

/** Returns the column of the key, or of the last dash, that a block scalar belongs to. The lines of the scalar are indented more than this column. */
function columnOfParent(before: string): number {
  const dashes = /^[ \t]*(?:-[ \t]+)*/.exec(before)?.[0] ?? '';
  return dashes.length < before.length ? dashes.length : Math.max(0, before.lastIndexOf('-'));
}

/** Returns the end offset of the last line of a block scalar. Its first line begins at `start`, and its parent is at `column`. */
function blockEnd(text: string, start: number, column: number): number {
  let end = start - 1;
  for (let at = start; at < text.length; ) {
    const next = lineEndAt(text, at);
    const indent = /^ */.exec(text.slice(at, Math.min(next, at + 1000)))?.[0].length ?? 0;
    const isBlank = text.slice(at, next).trim() === '';
    if (!isBlank && indent <= column) break;
    if (!isBlank) end = next;
    at = next + 1;
  }
  return end;
}

/** Returns the end offset of a quoted scalar, after its closing quote; undefined if the scalar does not end in its document, or if other text follows it on the line. */
function quoteEnd(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote) {
      if (quote === "'" && text[at + 1] === "'") at++;
      else
        return /^[ \t]*(?:,[ \t]*)?(?:#|\r?$)/.test(text.slice(at + 1, lineEndAt(text, at + 1))) ? at + 1 : undefined;
    } else if (text[at] === '\n' && text.startsWith('---', at + 1)) return undefined;
  }
  return undefined;
}
