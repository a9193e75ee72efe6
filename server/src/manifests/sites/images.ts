/** Collects the images of a pod, and splits image references into their parts. */

import { childOf, itemsOf, type Node, type ScalarNode } from '../yaml/tree.ts';

/** Returns the distinct images in a pod or a pod template, except images that depend on a template action or placeholder. */
export function imagesOf(pod: Node): readonly string[] {
  return [...new Set(imageNodesOf(pod).map(({ text }) => text))];
}

/** Returns the nodes of the known images in a pod or a pod template. */
export function imageNodesOf(pod: Node): readonly ScalarNode[] {
  const spec = childOf(pod, 'spec');
  return ['containers', 'initContainers'].flatMap((list) =>
    itemsOf(childOf(spec, list)).flatMap((container): readonly ScalarNode[] => {
      const image = childOf(container, 'image');
      return image?.kind === 'scalar' && image.type !== 'null' && image.pattern === undefined ? [image] : [];
    }),
  );
}

/** The parts of an image reference such as `registry.example.com:5000/shop/basket:1.4@sha256:...`; the name includes the registry. */
export interface ImageName {
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

export function splitImage(image: string): ImageName {
  const at = image.indexOf('@');
  const [whole, digest] = at === -1 ? [image, undefined] : [image.slice(0, at), image.slice(at + 1)];
  const colon = whole.indexOf(':', whole.lastIndexOf('/') + 1);
  const name = colon === -1 ? whole : whole.slice(0, colon);
  return {
    name,
    ...(colon !== -1 && { tag: whole.slice(colon + 1) }),
    ...(digest !== undefined && { digest }),
  };
}
