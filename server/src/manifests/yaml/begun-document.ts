/**
 * What of a document was read before something in it was unusual? Its beginning is in order, so that only the rest is
 * left to another reader, whose collections go on where these end.
 */

import type { Span } from '../../text/span.ts';
import type { Node } from './tree.ts';

/** A collection in lines of its own: all of it that stands above the entry in which the reading stopped. */
export interface Begun {
  readonly kind: 'map' | 'list';
  /** Where it begins. */
  readonly start: number;
  /** Where the entry begins in which the reading stopped. */
  readonly next: number;
  /** Where that ends which stands above it. */
  readonly end: number;
  /** Its items, or its keys and values in turn. */
  readonly nodes: readonly Node[];
  /** What was begun in that entry. */
  readonly inner: Begun | undefined;
}

/** A text whose collections go on where others end. */
export interface Rest {
  readonly text: string;
  /** Where it begins; what was begun counts from there. */
  readonly start: number;
  readonly begun?: Begun;
}

/** What is left to be read of the part `span` of a text: every column is as it was. */
export function restOf(text: string, span: Span, begun: Begun | undefined): Rest {
  if (begun === undefined) return { text: text.slice(span.start, span.end), start: span.start };
  const start = Math.max(span.start, lineStart(text, begun.next));
  let rest = '';
  let at = start;
  for (let inner = begun.inner; inner !== undefined; inner = inner.inner) {
    rest += text.slice(at, inner.start) + blanked(text, inner.start, inner.next);
    at = inner.next;
  }
  return { text: rest + text.slice(at, span.end), start, begun: relative(begun, start) };
}

function relative(begun: Begun, offset: number): Begun {
  const { start, next, end, inner } = begun;
  return {
    ...begun,
    start: start - offset,
    next: next - offset,
    end: end - offset,
    inner: inner && relative(inner, offset),
  };
}

/** Blanks, and the line end before the line that is still to be read. */
function blanked(text: string, start: number, end: number): string {
  const line = lineStart(text, end);
  return line <= start ? ' '.repeat(end - start) : `${' '.repeat(line - 1 - start)}\n${' '.repeat(end - line)}`;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}
