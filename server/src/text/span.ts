/** Which part of a text? A half-open range of UTF-16 offsets, the byte order mark left out. */

export interface Span {
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/** True where `offset` is in the span or at one of its ends: a cursor stands between characters. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** True where the two spans share a character, or one is empty and touches the other. */
export function meets(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** The span `part` of a text that itself starts at `offset`. */
export function shifted(part: Span, offset: number): Span {
  return { start: part.start + offset, end: part.end + offset };
}
