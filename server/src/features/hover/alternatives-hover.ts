/** Sentences about matches in alternatives to a file, which are not applied together with it. */

import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { LabeledObjectInFile, ObjectInFile, SiteInFile } from '../../workspace/model.ts';
import { objectLine } from '../presentation/object-lines.ts';
import { type Block, paragraph } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';

/** Returns a sentence that names the nearest selector in alternatives that matches an object, and the number of the others. */
export function selectedInAlternatives(view: FileView, found: readonly SiteInFile[]): readonly Block[] {
  const [first] = found;
  if (first === undefined) return [];
  return sentenceAbout(view, localize`If applied together, could be selected by `, first, first.site.keySpan, found);
}

/** Returns a sentence that names the nearest object in alternatives that a selector matches, and the number of the others. */
export function matchedInAlternatives(view: FileView, found: readonly LabeledObjectInFile[]): readonly Block[] {
  const [first] = found;
  if (first === undefined) return [];
  const span = first.labeledObject.site?.keySpan ?? first.object.kindSpan;
  return sentenceAbout(view, localize`If applied together, could match `, first, span, found);
}

function sentenceAbout(
  view: FileView,
  words: string,
  first: ObjectInFile,
  span: Span,
  { length }: readonly unknown[],
): readonly Block[] {
  const more = length === 1 ? '.' : localize`, ${length - 1} more.`;
  return [paragraph(words, ...objectLine(view, first, span), more)];
}
