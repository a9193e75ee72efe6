/** Removes a field of a map, given its key and the span of its value. */

import { removeLines } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';

/** Returns the edit that removes a field (`key: value`); undefined if the syntax around the field does not allow a safe edit. */
export function removeField(text: string, key: string, value: Span): Edit | undefined {
  const line = text.lastIndexOf('\n', value.start - 1) + 1;
  const before = text.slice(line, value.start);
  const at = keyIn(before, key);
  if (at === undefined) return undefined;
  const start = line + at;
  const lineEnd = lineEndAt(text, value.end);
  const tail = text.slice(value.end, lineEnd);
  const isAlone = before.slice(0, at).trim() === '';
  if (isAlone && /^[ \t\r]*(?:#[^\n]*)?$/.test(tail)) {
    return removeLines(text, { start: line, end: Math.min(lineEnd + 1, text.length) });
  }
  const comma = /^[ \t]*,[ \t]*/.exec(tail);
  if (comma !== null) {
    const end = value.end + comma[0].length;
    const whole = isAlone && /^\r?$/.test(text.slice(end, lineEnd));
    return { span: whole ? { start: line, end: lineEnd + 1 } : { start, end }, text: '' };
  }
  const commaBefore = /,\s*$/.exec(text.slice(Math.max(0, start - 200), start));
  return commaBefore === null
    ? undefined
    : { span: { start: start - commaBefore[0].length, end: value.end }, text: '' };
}

/** Returns the start offset of a key in a text that must end with this key and its colon; undefined if it does not. */
function keyIn(before: string, key: string): number | undefined {
  const withColon = before.trimEnd();
  if (!withColon.endsWith(':')) return undefined;
  const written = withColon.slice(0, -1).trimEnd();
  const quote = /["']$/.exec(written)?.[0] ?? '';
  const quoted = `${quote}${key}${quote}`;
  return written.endsWith(quoted) ? written.length - quoted.length : undefined;
}
