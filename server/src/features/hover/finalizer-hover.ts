/** The hover for a finalizer: the cleanup that must happen before the object is deleted. */

import { knownFinalizers } from '../../engine/catalogue/finalizers.ts';
import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { itemsOf, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { type Span, touches } from '../../text/span.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { paragraph, type RichText } from '../presentation/rich-text.ts';
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

/** Returns the finalizer at an offset of an object's metadata. */
function finalizerAt(view: FileView, offset: number): ScalarNode | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object === undefined || !view.text.slice(object.span.start, object.span.end).includes('finalizers'))
    return undefined;
  const { text, workspace, file } = view;
  const list = nodeAt(treeOf({ text, workspace, uri: file.uri }, object), 'metadata', 'finalizers');
  const items = itemsOf(list);
  return items.find((item): item is ScalarNode => item.kind === 'scalar' && touches(item.span, offset));
}
