/** The hover of a finalizer: what it waits for. */

import { knownFinalizers } from '../../engine/catalogue/finalizers.ts';
import type { Span } from '../../text/span.ts';
import { paragraph, type RichText } from '../presentation/rich-text.ts';
import { finalizerAt } from '../selected/finalizers.ts';
import type { FileView } from '../view.ts';

/** Describes the finalizer at an offset; undefined if there is none that is well-known. */
export function aboutFinalizer(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const finalizer = finalizerAt(view, offset);
  const known = finalizer && knownFinalizers.get(finalizer.text);
  return finalizer && known !== undefined ? { span: finalizer.span, text: [paragraph(known)] } : undefined;
}
