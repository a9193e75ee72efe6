/** Finds the finalizer of an object under the cursor. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { itemsOf, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { touches } from '../../text/span.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { FileView } from '../view.ts';

/** Returns the finalizer at an offset of an object's metadata. */
export function finalizerAt(view: FileView, offset: number): ScalarNode | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object === undefined || !view.text.slice(object.span.start, object.span.end).includes('finalizers'))
    return undefined;
  const { text, workspace, file } = view;
  const list = nodeAt(treeOf({ text, workspace, uri: file.uri }, object), 'metadata', 'finalizers');
  const items = itemsOf(list);
  return items.find((item): item is ScalarNode => item.kind === 'scalar' && touches(item.span, offset));
}
