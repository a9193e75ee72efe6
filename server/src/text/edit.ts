/** How does a text change? Replacements of spans, applied together. */

import type { Span } from './span.ts';

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** The text with `edits` applied; they must not overlap, and those at one place apply in the order given. */
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
