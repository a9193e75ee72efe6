/** The paths of folders that GitOps objects name. */

import type { ManifestObject } from '../model.ts';
import { childOf, itemsOf, type Node, nodeAt } from '../yaml/tree.ts';
import { fluxGroup, helmGroup, operatorGroup } from './spec.ts';

/** Returns the node with the path of each source of a GitOps object, in the order of `GitopsFacts.sources`. */
export function sourcePaths({ group, gitopsSpec }: ManifestObject): readonly (Node | undefined)[] {
  if (gitopsSpec === undefined) return [];
  if (group === fluxGroup) return [childOf(gitopsSpec, 'path')];
  if (group === operatorGroup) return [nodeAt(gitopsSpec, 'sync', 'path')];
  if (group === helmGroup) return [nodeAt(gitopsSpec, 'chart', 'spec', 'chart')];
  const listed = itemsOf(childOf(gitopsSpec, 'sources'));
  const sources = listed.length > 0 ? listed : [childOf(gitopsSpec, 'source')];
  return sources.flatMap((source) => {
    const path = childOf(source, 'path');
    // A chart of a registry, and a source that only provides files of values.
    if (childOf(source, 'chart') !== undefined) return [];
    return path === undefined && childOf(source, 'ref') !== undefined ? [] : [path];
  });
}
