/** The hover for a finalizer: the cleanup that must happen before the object is deleted. */

import { knownFinalizers } from '../../engine/catalogue/finalizers.ts';
import type { Span } from '../../text/span.ts';
import { paragraph, type RichText } from '../presentation/rich-text.ts';
import { finalizerAt } from '../selected/finalizers.ts';
import type { FileView } from '../view.ts';

/** Describes the well-known finalizer at an offset; undefined if there is none. */
export function aboutFinalizer(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const finalizer = finalizerAt(view, offset);
  const known = finalizer && knownFinalizers.get(finalizer.text);
  return finalizer && known !== undefined ? { span: finalizer.span, text: [paragraph(known)] } : undefined;
}
