/** Finds the ranges of substrings of a string in the file, and replaces these substrings. */

import { applyEdits, type Edit } from '../../text/edit.ts';
import { type Span, shifted } from '../../text/span.ts';
import type { Written } from '../model.ts';
import { replaceScalar } from '../write/write-text.ts';

/** Returns the span of a substring in the file; undefined if it cannot be computed because the string is a block scalar, contains escapes or folded lines, or comes from an alias. */
export function pieceOf(written: Written, piece: Span): Span | undefined {
  const { letters } = written;
  if (letters !== undefined) {
    return piece.end > piece.start
      ? { start: letters.startOf(piece.start), end: letters.endOf(piece.end - 1) }
      : undefined;
  }
  const quotes = written.style === 'single' || written.style === 'double' ? 1 : 0;
  const { start, end } = written.span;
  const isAsTyped = written.style !== 'block' && end - start === written.text.length + 2 * quotes;
  return isAsTyped ? shifted(piece, start + quotes) : undefined;
}

/** Returns a substring as a separate string, with its range in the file and in the file of its origin; undefined if one of these ranges is unknown, or if the string has an unknown value. `spanOf` computes the range of the substring. */
export function writtenPiece(written: Written, piece: Span, spanOf = pieceOf): Written | undefined {
  const { origin, anchored } = written;
  const span = spanOf(written, piece);
  const originSpan = origin && spanOf({ ...written, span: origin.span }, piece);
  if (span === undefined || typeof written.value !== 'string') return undefined;
  if (origin !== undefined && originSpan === undefined) return undefined;
  const text = written.text.slice(piece.start, piece.end);
  return {
    text,
    value: text,
    type: 'string',
    style: 'plain',
    span,
    ...(anchored && { anchored }),
    ...(origin && originSpan && { origin: { uri: origin.uri, span: originSpan } }),
  };
}

/** Replaces substrings of a string. If their ranges in the file are unknown, the whole string is replaced. */
export function replacePieces(written: Written, edits: readonly Edit[]): readonly Edit[] {
  const placed = edits.map(({ span, text }) => ({ span: pieceOf(written, span), text }));
  const known = placed.flatMap(({ span, text }) => (span === undefined ? [] : [{ span, text }]));
  if (known.length === edits.length) return known;
  return [replaceScalar(written, applyEdits(written.text, edits))];
}
