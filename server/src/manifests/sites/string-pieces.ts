/** Where in a file are pieces of a string that is written there, and how are they replaced? */

import { applyEdits, type Edit } from '../../text/edit.ts';
import { type Span, shifted } from '../../text/span.ts';
import type { Written } from '../model.ts';
import { replaceScalar } from '../write/write-text.ts';

/** The span of a piece; undefined where escapes, folded lines or an alias keep its offsets from being the file's. */
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

/**
 * A piece of a string as a string of its own, where it is written and where another file writes it; undefined if one of
 * these ranges is not known, or if the string is not. `spanOf` finds the range of the piece.
 */
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

/** Replaces pieces of a string; the whole of it, written anew, where its pieces are not as they were typed. */
export function replacePieces(written: Written, edits: readonly Edit[]): readonly Edit[] {
  const placed = edits.map(({ span, text }) => ({ span: pieceOf(written, span), text }));
  const known = placed.flatMap(({ span, text }) => (span === undefined ? [] : [{ span, text }]));
  if (known.length === edits.length) return known;
  return [replaceScalar(written, applyEdits(written.text, edits))];
}
