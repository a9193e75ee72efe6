/** Maps a range in the value of a scalar to its range in the file. */

import type { Written } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';

/** Returns the span in the file of a part of a scalar's value; the span of the whole scalar if the offsets of the part are unknown, for example because of escapes or line breaks. */
export function spanInText(scalar: Written, piece: Span): Span {
  const { letters } = scalar;
  if (letters !== undefined && piece.end > piece.start)
    return { start: letters.startOf(piece.start), end: letters.endOf(piece.end - 1) };
  const quotes = scalar.style === 'single' || scalar.style === 'double' ? 1 : 0;
  const { start, end } = scalar.span;
  const isPlain = scalar.style !== 'block' && end - start === scalar.text.length + 2 * quotes;
  if (!isPlain || piece.end <= piece.start) return scalar.span;
  return { start: start + quotes + piece.start, end: start + quotes + piece.end };
}
