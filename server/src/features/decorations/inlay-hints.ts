/** Inlay hints: the texts of the code lenses, shown at the end of their lines. */

import { firstLineOf } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { FileView } from '../view.ts';
import { lenses, lensText } from './code-lenses.ts';

export interface Hint {
  readonly offset: number;
  readonly text: string;
}

/** The maximum number of hints for one request. Editors request the hints of the visible lines; only a request for a whole large file exceeds the maximum. */
const maximumHints = 300;

/** Returns the first hints within a span. */
export function hints(view: FileView, within: Span): readonly Hint[] {
  let count = 0;
  return lenses(view).flatMap((lens) => {
    if (count >= maximumHints) return [];
    const { span } = lens;
    const { end } = firstLineOf(view.text, { start: span.start, end: view.text.length });
    if (end < within.start || span.start > within.end) return [];
    const text = lensText(view, lens);
    count++;
    return text === undefined ? [] : [{ offset: end, text }];
  });
}
