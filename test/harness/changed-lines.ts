/** Formats edits of several files as the lines that they change, in their new state. */

import { applyEdits, type Edit } from '../../server/src/text/edit.ts';
import { lineTable, offsetToPosition } from '../../server/src/text/lines.ts';

/** `service.yaml:9 app: shop`, with the note of `noteOf` after the line; a deleted line is shown as `-`. */
export function changedLines<E extends Edit>(
  name: string,
  text: string,
  edits: readonly E[],
  noteOf: (edit: E) => string = () => '',
): readonly string[] {
  const before = text.split(/\r\n|\n/);
  const after = applyEdits(text, edits).split(/\r\n|\n/);
  if (before.length === after.length) {
    const table = lineTable(text);
    return after.flatMap((line, index) => {
      if (line === before[index]) return [];
      const notes = edits.filter(({ span }) => offsetToPosition(table, span.start).line === index).map(noteOf);
      return [`${name}:${index + 1} ${line.trim()}${[...new Set(notes)].join('')}`];
    });
  }
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const gone = before.slice(start, before.length - end).map((line) => `${name} -${line}`);
  return [...gone, ...after.slice(start, after.length - end).map((line) => `${name} +${line}`)];
}
