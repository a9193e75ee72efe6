/** Which tags have the images of a pod? */

import type { ManifestObject } from '../manifests/manifest.ts';
import { childOf, type Node } from '../manifests/tree.ts';
import type { RuleContext } from './rule.ts';
import { placeAt, stepsOf, treeOf } from './trees.ts';

/** The tags of the images in a pod template; `path` is the template's. */
export function imageTags(context: RuleContext, object: ManifestObject, path: string): ReadonlySet<string> {
  const spec = placeAt(treeOf(context, object), [...stepsOf(path), 'spec'])?.node;
  const lists = ['containers', 'initContainers'].map((field) => childOf(spec, field));
  const images = lists.flatMap(itemsOf).map((container) => childOf(container, 'image'));
  return new Set(images.flatMap((image) => (image?.kind === 'scalar' ? (tagOf(image.text) ?? []) : [])));
}

/** `1.4` of `registry.example.com:5000/shop/basket:1.4@sha256:...`. */
function tagOf(image: string): string | undefined {
  const [name = ''] = image.slice(image.lastIndexOf('/') + 1).split('@');
  const colon = name.indexOf(':');
  return colon === -1 ? undefined : name.slice(colon + 1);
}

function itemsOf(list: Node | undefined): readonly Node[] {
  return list?.kind === 'list' ? list.items : [];
}
