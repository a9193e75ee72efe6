/** Spans of a text: half-open ranges of UTF-16 offsets, without the byte order mark. */

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
