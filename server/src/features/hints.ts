/** What would lenses say, at the end of their lines? */

import { firstLineOf } from '../text/lines.ts';
import type { Span } from '../text/span.ts';
import { lenses, lensTitle } from './lenses.ts';
import type { FileView } from './view.ts';

export interface Hint {
  readonly offset: number;
  readonly text: string;
}

/** The hints of the lines that a span touches. */
export function hints(view: FileView, within: Span): readonly Hint[] {
  return lenses(view).flatMap(({ object: number, path, span }) => {
    const { end } = firstLineOf(view.text, { start: span.start, end: view.text.length });
    const object = view.file.manifest.objects[number];
    if (object === undefined || end < within.start || span.start > within.end) return [];
    const text = lensTitle(view, { file: view.file, object }, path);
    return text === undefined ? [] : [{ offset: end, text }];
  });
}
