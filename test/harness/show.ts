/** Formats results as a marked manifest for comparison: the relevant lines, with notes under them. */

import type { Edit } from '../../server/src/text/edit.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { lineTable, offsetToPosition } from '../../server/src/text/lines.ts';
import type { Span } from '../../server/src/text/span.ts';

export interface ShownMark {
  readonly span: Span;
  readonly note: string;
}

/** The lines of a text with marks, each mark with its note below. */
export function show(text: string, marks: readonly ShownMark[]): string {
  if (marks.length === 0) throw new Error('There is nothing to show.');
  const table = lineTable(text);
  const content = text.split(/\r\n|\r|\n/);
  const shown: string[] = [];
  let last = -1;
  for (const { span, note } of marks.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)) {
    const { line, character } = offsetToPosition(table, span.start);
    const first = content[line] ?? '';
    if (line !== last) shown.push(first);
    last = line;
    const signs = '~'.repeat(Math.max(1, Math.min(span.end - span.start, first.length - character)));
    shown.push(`${' '.repeat(character)}${signs} ${note}`.trimEnd());
  }
  return shown.join('\n');
}

/** The lines after edits, with their previous text. Deleted lines are shown as a note on the next line. */
export function showEdits(text: string, edits: readonly Edit[]): string {
  const marks: ShownMark[] = [];
  let moved = 0;
  for (const edit of edits.toSorted((a, b) => a.span.start - b.span.start)) {
    const start = edit.span.start + moved;
    const was = text.slice(edit.span.start, edit.span.end);
    const note = was === '' ? 'new' : `was ${was.includes('\n') ? JSON.stringify(was) : was}`;
    marks.push({ span: { start, end: start + edit.text.length }, note });
    moved += edit.text.length - was.length;
  }
  return show(applyEdits(text, edits), marks);
}

/** `pod.yaml:5 "basket"`: the description of an unnamed span. */
export function describePosition(name: string, text: string, span: Span): string {
  const line = offsetToPosition(lineTable(text), span.start).line + 1;
  return `${name}:${line} "${text.slice(span.start, span.end)}"`;
}
