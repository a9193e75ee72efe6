/** Shifts findings by the edits to their text until the text is checked again. */

import type { Span } from '../../text/span.ts';
import type { Finding } from './rule.ts';

/** Returns the findings of the text `before` with their positions in the text `after`. Findings whose span was edited are omitted, and the findings have no fixes until the next check. */
export function shiftFindings(findings: readonly Finding[], before: string, after: string): readonly Finding[] {
  if (before === after) return findings;
  const start = sameStart(before, after);
  const end = sameEnd(before, after, start);
  const move = after.length - before.length;
  return findings.flatMap((finding) => {
    const span = moved(finding.span, start, before.length - end, move);
    return span === undefined ? [] : [{ ...finding, span, fixes: () => [] }];
  });
}

function moved(span: Span, start: number, end: number, move: number): Span | undefined {
  if (span.end < start) return span;
  if (span.start >= end) return { start: span.start + move, end: span.end + move };
  return undefined;
}

function sameStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  return at;
}

function sameEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < limit && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
