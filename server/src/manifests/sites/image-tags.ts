/** Collects the tags of the images of a pod. */

import { childOf, itemsOf, type Node } from '../yaml/tree.ts';

/** Returns the tags of the images in a pod template, each once. */
export function imageTags(template: Node): readonly string[] {
  const spec = childOf(template, 'spec');
  const tags: string[] = [];
  for (const list of [childOf(spec, 'containers'), childOf(spec, 'initContainers')]) {
    for (const container of itemsOf(list)) {
      const image = childOf(container, 'image');
      const tag = image?.kind === 'scalar' ? tagOf(image.text) : undefined;
      if (tag !== undefined && !tags.includes(tag)) tags.push(tag);
    }
  }
  return tags;
}

/** `1.4` of `registry.example.com:5000/shop/basket:1.4@sha256:...`. */
function tagOf(image: string): string | undefined {
  const [name = ''] = image.slice(image.lastIndexOf('/') + 1).split('@');
  const colon = name.indexOf(':');
  return colon === -1 ? undefined : name.slice(colon + 1);
}
