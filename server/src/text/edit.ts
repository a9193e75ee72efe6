/** Edits of a text: replacements of spans, applied together. */

import type { Span } from './span.ts';

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Returns the text with `edits` applied. The edits must not overlap; insertions at the same offset are applied in the given order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    result += text.slice(at, Math.max(at, edit.span.start)) + edit.text;
    at = Math.max(at, edit.span.end);
  }
  return result + text.slice(at);
}
