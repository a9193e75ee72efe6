/** Inlay hints: the texts of the code lenses, shown at the end of their lines. */

import { firstLineOf } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { FileView } from '../view.ts';
import { lenses, lensText } from './code-lenses.ts';

export interface Hint {
  readonly offset: number;
  readonly text: string;
}

export function hints(view: FileView, within: Span): readonly Hint[] {
  return lenses(view).flatMap((lens) => {
    const { span } = lens;
    const { end } = firstLineOf(view.text, { start: span.start, end: view.text.length });
    if (end < within.start || span.start > within.end) return [];
    const text = lensText(view, lens);
    return text === undefined ? [] : [{ offset: end, text }];
  });
}
