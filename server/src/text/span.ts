/** Spans of a text: half-open ranges of UTF-16 offsets, without the byte order mark. */

import { countBefore } from './order.ts';

export interface Span {
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/** Whether `offset` is in the span or at one of its ends, since a cursor is between characters. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** Whether the two spans share a character, or touch. */
export function meets(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** Shifts a span from a part of a text to the whole text, in which the part starts at `offset`. */
export function shifted(part: Span, offset: number): Span {
  return { start: part.start + offset, end: part.end + offset };
}

/** Whether a span is within another one. */
export function isInside(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Returns a function that tests whether a span shares a character with one of some spans, in logarithmic time. */
export function overlapTest(spans: readonly Span[]): (span: Span) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let end = 0;
  /** The largest end of each span and the spans before it. */
  const ends = sorted.map((each) => {
    end = Math.max(end, each.end);
    return end;
  });
  return (span) => (ends[countBefore(sorted, ({ start }) => start < span.end) - 1] ?? 0) > span.start;
}

/** Spans that do not overlap, in which a search takes logarithmic time. Mutable. */
export class SeparateSpans {
  /** The spans, sorted by their position in the text. */
  readonly #spans: Span[] = [];

  /** Whether one of the spans shares a character with `span`, or touches it. */
  meet(span: Span): boolean {
    const before = this.#spans[this.#countUpTo(span.end) - 1];
    return before !== undefined && before.end >= span.start;
  }

  /** Adds a span, which may touch the existing spans but must not overlap them. */
  add(span: Span): void {
    this.#spans.splice(this.#countUpTo(span.start), 0, span);
  }

  /** The number of spans that start at an offset or before it. */
  #countUpTo(offset: number): number {
    return countBefore(this.#spans, ({ start }) => start <= offset);
  }
}
