/** Finds custom placeholders, whose patterns are configured in `.selector-lens.yaml`. */

import type { Span } from '../../text/span.ts';

/** The maximum length of a placeholder's name, in UTF-16 code units. */
const longestName = 100;

/** Returns the custom placeholders in a text in order, without nested placeholders. In a pattern such as `@@NAME@@`, NAME matches any name. */
export function findOwnPlaceholders(text: string, patterns: readonly string[]): readonly Span[] {
  const found = patterns.flatMap((pattern) => {
    const at = pattern.indexOf('NAME');
    return at === -1 ? [] : placeholdersLike(text, pattern.slice(0, at), pattern.slice(at + 'NAME'.length));
  });
  const inOrder = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return inOrder.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

function placeholdersLike(text: string, before: string, after: string): readonly Span[] {
  const spans: Span[] = [];
  const sign = before === '' ? after : before;
  if (sign === '') return spans;
  for (let at = text.indexOf(sign); at !== -1; ) {
    const span = before === '' ? endingAt(text, at, after) : beginningAt(text, at, before, after);
    if (span !== undefined) spans.push(span);
    at = text.indexOf(sign, span === undefined ? at + 1 : Math.max(span.end, at + 1));
  }
  return spans;
}

/** Returns the longest placeholder with the given delimiters that begins at an offset. */
function beginningAt(text: string, start: number, before: string, after: string): Span | undefined {
  const first = start + before.length;
  let end = first;
  while (end - first < longestName && isInName(text, end)) end++;
  for (; end > first; end--) if (text.startsWith(after, end)) return { start, end: end + after.length };
  return undefined;
}

function endingAt(text: string, at: number, after: string): Span | undefined {
  let start = at;
  while (at - start < longestName && start > 0 && isInName(text, start - 1)) start--;
  return start === at ? undefined : { start, end: at + after.length };
}

const inNames = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.');

function isInName(text: string, at: number): boolean {
  return inNames.has(text.charAt(at));
}
