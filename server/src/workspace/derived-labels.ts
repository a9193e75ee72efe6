/** Derives the probable value of a recommended label from the object itself and its scope. */

import { isLabelValue } from '../engine/index.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { childOf, type Node, nodeAt } from '../manifests/yaml/tree.ts';
import type { Scope } from './scopes/model.ts';
import { fileNameOf } from './uri.ts';

export interface Described {
  readonly object: ManifestObject;
  /** The parsed object, for the images of its containers. */
  readonly root: Node | undefined;
  readonly scope: Scope | undefined;
}

/** Returns the derived value of a label; undefined for other keys, and if no value can be derived. */
export function derivedLabel(key: string, described: Described): string | undefined {
  const value = derive(key, described);
  return value !== undefined && value !== '' && isLabelValue(value) ? value : undefined;
}

function derive(key: string, { object, root, scope }: Described): string | undefined {
  const name = typeof object.name?.value === 'string' ? object.name.value : undefined;
  switch (key) {
    case 'app':
    case 'app.kubernetes.io/name':
    case 'app.kubernetes.io/instance':
      return name;
    case 'app.kubernetes.io/version':
      return imageTag(object, root);
    case 'app.kubernetes.io/part-of':
      return typeof object.namespace?.value === 'string' ? object.namespace.value : folderName(scope);
    case 'app.kubernetes.io/managed-by':
      return scope?.kind === 'chart' ? 'Helm' : 'kubectl';
    default:
      return undefined;
  }
}

function folderName(scope: Scope | undefined): string | undefined {
  return scope === undefined || scope.kind === 'file' ? undefined : fileNameOf(scope.path);
}

/** Returns the tag of the first container's image: `1.4.2` of `example.com/web:1.4.2@sha256:...`. */
function imageTag(object: ManifestObject, root: Node | undefined): string | undefined {
  const specs = [
    nodeAt(root, 'spec'),
    ...object.templates.map((template) => nodeAt(root, ...template.path.split('.'), 'spec')),
  ];
  for (const spec of specs) {
    const image = firstImage(childOf(spec, 'containers'));
    const tag = image === undefined ? undefined : /:([^:/@]+)(?:@.*)?$/s.exec(image)?.[1];
    if (tag !== undefined) return tag;
  }
  return undefined;
}

function firstImage(containers: Node | undefined): string | undefined {
  const first = containers?.kind === 'list' ? containers.items[0] : undefined;
  const image = childOf(first, 'image');
  return image?.kind === 'scalar' && image.pattern === undefined ? image.text : undefined;
}
