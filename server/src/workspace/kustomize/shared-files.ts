/** Finds files that are included by so many kustomizations that analyzing them as applied would take minutes. */

import { getOrAdd } from '../../engine/memoize.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { Workspace } from '../model.ts';
import { isRendered, type Scopes } from '../scopes/model.ts';

/** Maximum number of objects that the kustomizations around one file build together. The cache of renderings can contain so many objects; more objects would be built again for each rule. */
export const maximumAround = 20_000;

/** The number of patches that take as much work for an object as building it. */
const patchesPerObject = 100;

/** The files that are shared too much, and the largest number of objects around one file, in which patches count as further objects. */
interface Sharing {
  readonly files: ReadonlySet<string>;
  /** The first of these files in each scope. */
  readonly first: ReadonlySet<string>;
  readonly most: number;
  /** The largest number of objects as which an object counts in a scope. */
  readonly heaviest: number;
}

const sharing = new WeakMap<ReturnType<Scopes['structure']>, Sharing>();

function sharingIn(workspace: Pick<Workspace, 'scopes'>): Sharing {
  const scopes = workspace.scopes();
  const [facts, structure] = [scopes.facts(), scopes.structure()];
  const changed = facts instanceof LayeredMap ? facts.keysChangedSince(structure) : [];
  const isSameCount = changed?.every((uri) => facts.get(uri)?.objects === structure.get(uri)?.objects);
  return getOrAdd(sharing, isSameCount ? structure : facts, () => findSharedFiles(scopes));
}

/** The largest number of objects that the kustomizations around one file build; no more than the maximum. */
export function mostAroundOneFile(workspace: Pick<Workspace, 'scopes'>): number {
  return Math.min(maximumAround, sharingIn(workspace).most);
}

/** Whether a file is analyzed only as it is written because the kustomizations that include it build too many objects. */
export function isSharedTooMuch(workspace: Workspace, uri: string): boolean {
  return sharingIn(workspace).files.has(uri);
}

/** Whether a file is shared too much, and is the first such file of one of its scopes. */
export function isFirstShared(workspace: Workspace, uri: string): boolean {
  return sharingIn(workspace).first.has(uri);
}

/** Whether `isSharedTooMuch` is true for any file, or may have been before objects of some files were removed; each file is given with the number of these objects. */
export function mayShareTooMuch(
  workspace: Pick<Workspace, 'scopes'>,
  removed: readonly (readonly [uri: string, count: number])[],
): boolean {
  const scopes = workspace.scopes();
  const { most, heaviest } = sharingIn(workspace);
  const counts = removed.map(([uri, count]) => Math.max(0, count) * scopes.ofFile(uri).length * heaviest);
  return counts.reduce((sum, count) => sum + count, most) > maximumAround;
}

/** Finds the files from the scopes alone, so that the result does not depend on the order of requests. */
function findSharedFiles(scopes: Scopes): Sharing {
  const facts = scopes.facts();
  const around = new Map<string, number>();
  let heaviest = 1;
  for (const scope of scopes.all()) {
    if (!isRendered(scope)) continue;
    const files = new Set([...scope.files, ...scopes.partsOf(scope)]);
    const objects = sumOf(files, (uri) => facts.get(uri)?.objects ?? 0);
    const changes = sumOf(files, (uri) => facts.get(uri)?.kustomization?.changes ?? 0);
    const weight = 1 + changes / patchesPerObject;
    heaviest = Math.max(heaviest, weight);
    for (const uri of files) around.set(uri, (around.get(uri) ?? 0) + objects * weight);
  }
  let most = 0;
  for (const objects of around.values()) most = Math.max(most, objects);
  const files = new Set([...around].flatMap(([uri, objects]) => (objects > maximumAround ? [uri] : [])));
  const first = new Set<string>();
  for (const scope of files.size === 0 ? [] : scopes.all().filter(isRendered)) {
    let least: string | undefined;
    for (const uri of [...scope.files, ...scopes.partsOf(scope)])
      if (files.has(uri) && (least === undefined || uri < least)) least = uri;
    if (least !== undefined) first.add(least);
  }
  return { files, first, most, heaviest };
}

function sumOf(uris: Iterable<string>, numberOf: (uri: string) => number): number {
  let sum = 0;
  for (const uri of uris) sum += numberOf(uri);
  return sum;
}
