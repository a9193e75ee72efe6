/** Finds files that are included by so many kustomizations that analyzing them as applied would take minutes. */

import { getOrAdd } from '../../engine/memoize.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { Workspace } from '../model.ts';
import { isRendered, type Scopes } from '../scopes/model.ts';

/** Maximum number of objects that the kustomizations around one file build together. */
export const maximumAround = 100_000;

/** Up to this number of objects, the kustomizations around a file are built once for all files, because the cache of a command can contain the objects. */
export const manyAround = 20_000;

/** Maximum sum, over all files, of the numbers of objects above `manyAround`, since these objects are built again for each file. */
export const maximumAgain = 200_000;

/** The files that are shared too much, and the largest number of objects around one file. */
interface Sharing {
  readonly files: ReadonlySet<string>;
  readonly most: number;
}

const sharing = new WeakMap<ReturnType<Scopes['structure']>, Sharing>();

function sharingIn(workspace: Pick<Workspace, 'scopes'>): Sharing {
  const scopes = workspace.scopes();
  const [facts, structure] = [scopes.facts(), scopes.structure()];
  const changed = facts instanceof LayeredMap ? facts.keysChangedSince(structure) : [];
  const isSameCount = changed?.every((uri) => facts.get(uri)?.objects === structure.get(uri)?.objects);
  return getOrAdd(sharing, isSameCount ? structure : facts, () => findSharedFiles(scopes));
}

/** Whether a file is analyzed only as it is written because the kustomizations that include it build too many objects. */
export function isSharedTooMuch(workspace: Workspace, uri: string): boolean {
  return sharingIn(workspace).files.has(uri);
}

/** Whether `isSharedTooMuch` is true for any file, or may have been before objects of some files were removed; each file is given with the number of these objects. */
export function mayShareTooMuch(
  workspace: Pick<Workspace, 'scopes'>,
  removed: readonly (readonly [uri: string, count: number])[],
): boolean {
  const scopes = workspace.scopes();
  const counts = removed.map(([uri, count]) => Math.max(0, count) * scopes.ofFile(uri).length);
  return counts.reduce((sum, count) => sum + count, sharingIn(workspace).most) > manyAround;
}

/** Finds the files from the scopes alone, so that the result does not depend on the order of requests. */
function findSharedFiles(scopes: Scopes): Sharing {
  const facts = scopes.facts();
  const around = new Map<string, number>();
  for (const scope of scopes.all()) {
    if (!isRendered(scope)) continue;
    const files = new Set([...scope.files, ...scopes.partsOf(scope)]);
    const objects = [...files].reduce((sum, uri) => sum + (facts.get(uri)?.objects ?? 0), 0);
    for (const uri of files) around.set(uri, (around.get(uri) ?? 0) + objects);
  }
  let most = 0;
  for (const objects of around.values()) most = Math.max(most, objects);
  const many = [...around].filter(([, objects]) => objects > manyAround);
  const sum = many.reduce((total, [, objects]) => total + objects, 0);
  const limit = sum > maximumAgain ? manyAround : maximumAround;
  return { files: new Set(many.flatMap(([uri, objects]) => (objects > limit ? [uri] : []))), most };
}
