/** Reads the resources, patches and transformers of a file that a kustomization lists. */

import type { Node } from '../../manifests/yaml/tree.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Tool } from './listed-transformers.ts';
import { partialTree } from './partial-tree.ts';
import { type Resource, resourceOf } from './resource.ts';
import type { Patch } from './transformers.ts';
import { kustomizeTree } from './yaml-words.ts';

/** Returns the transformers in a file. */
export function toolsIn(file: WorkspaceFile): readonly Tool[] {
  const trees = file.manifest.trees ?? [];
  // The effect of an external program is unknown.
  const unknown = file.manifest.objects.filter(({ version }) => version !== 'builtin');
  return [...trees, ...unknown.map(partialTree)].map((node) => ({ node, from: file.uri }));
}

/** Returns the objects of a file as kustomize reads them. */
export function resourcesOf({ uri, manifest }: WorkspaceFile): readonly Resource[] {
  return manifest.objects
    .filter((object) => object.template === undefined || object.kind === 'Template')
    .map((source) => {
      const resource = resourceOf(uri, source);
      const tree = kustomizeTree(source, resource.written);
      return tree === resource.written ? resource : { ...resource, tree };
    });
}

/** Returns the patches in some objects and trees of a file: each object is a merge patch, and each list contains operations. */
export function patchesIn(
  objects: WorkspaceFile['manifest']['objects'],
  trees: readonly Node[],
  uri: string,
): readonly Patch[] {
  const lists = trees.filter((tree) => tree.kind === 'list');
  return [
    ...objects.map((object): Patch => ({ kind: 'merge', object, tree: kustomizeTree(object), uri })),
    ...lists.map((node): Patch => ({ kind: 'operations', node, uri })),
  ];
}
