/** Finds files that are included by so many kustomizations that analyzing them as applied would take minutes. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { hashOf } from '../../text/hash.ts';
import { sumOf } from '../index/iterate.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { Workspace } from '../model.ts';
import { isRendered, type Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, resolveUri } from '../uri.ts';

/** Maximum number of objects that the kustomizations around one file build together. The cache of renderings can contain so many objects; more objects would be built again for each rule. */
export const maximumAround = 8_000;

/** The number of objects as which each kustomization around a file counts at least: a rule checks the file once for each of them, and looks for the others in its cluster. */
export const objectsPerScope = 4;

/** The number of objects for each file by which all kustomizations may build more objects, so that the work for a workspace grows like its size. */
const objectsPerFile = 20;

/** The number of patches that take as much work for an object as building it. */
const patchesPerObject = 100;

/** The files that are shared too much, and the largest number of objects around one file, in which patches count as further objects. */
interface Sharing {
  readonly files: ReadonlySet<string>;
  /** The first of these files in each scope. */
  readonly first: ReadonlySet<string>;
  readonly most: number;
  /** The paths of the scopes that are not built, because all scopes together would build too many objects. */
  readonly leftOut: ReadonlySet<string>;
}

const sharing = new WeakMap<ReturnType<Scopes['structure']>, Sharing>();
const sharingOf = new WeakMap<Scopes, Sharing>();

/** A check depends on all of these files together, because there are hardly ever any. */
const sharingIn = scopeQuery(
  'shared too much',
  (scopes): Sharing => getOrAdd(sharingOf, scopes, findSharing),
  memoized(({ files, first, leftOut }) => hashOf(JSON.stringify([files, first, leftOut].map((each) => [...each])))),
);

function findSharing(scopes: Scopes): Sharing {
  const [facts, structure] = [scopes.facts(), scopes.structure()];
  const changed = facts instanceof LayeredMap ? facts.keysChangedSince(structure) : [];
  const isSameCount = changed?.every((uri) => facts.get(uri)?.objects === structure.get(uri)?.objects);
  return getOrAdd(sharing, isSameCount ? structure : facts, () => findSharedFiles(scopes));
}

/** The largest number of objects that the kustomizations around one file build; no more than the maximum. */
export function mostAroundOneFile(workspace: Pick<Workspace, 'scopes'>): number {
  return Math.min(maximumAround, sharingIn(workspace.scopes()).most);
}

/** Whether a file is analyzed only as it is written because the kustomizations that include it build too many objects. */
export function isSharedTooMuch(workspace: Workspace, uri: string): boolean {
  return sharingIn(workspace.scopes()).files.has(uri);
}

/** Whether a kustomization or GitOps object is not built, because all of them together would build too many objects. */
export function isLeftOut(workspace: Pick<Workspace, 'scopes'>, path: string): boolean {
  return sharingIn(workspace.scopes()).leftOut.has(path);
}

/** Whether a file is shared too much, and is the first such file of one of its scopes. */
export function isFirstShared(workspace: Workspace, uri: string): boolean {
  return sharingIn(workspace.scopes()).first.has(uri);
}

interface BuiltScope {
  readonly path: string;
  /** The files of the scope, which releases of one chart share, and the other files on which it depends. */
  readonly files: ReadonlySet<string>;
  readonly others: readonly string[];
  /** The number of objects that are built, in which patches count as further objects. */
  readonly objects: number;
}

/** Finds the files from the scopes alone, so that the result does not depend on the order of requests. */
function findSharedFiles(scopes: Scopes): Sharing {
  const facts = scopes.facts();
  const around = new Map<string, number>();
  const builtIn = builtObjects(facts);
  const built: BuiltScope[] = [];
  const add = (uri: string, objects: number) => around.set(uri, (around.get(uri) ?? 0) + objects);
  const changesIn = (uri: string) => facts.get(uri)?.kustomization?.changes ?? 0;
  const sets = new Map<ReadonlySet<string>, { readonly once: number; readonly changes: number; objects: number }>();
  for (const scope of scopes.all()) {
    if (!isRendered(scope)) continue;
    const { path, files } = scope;
    const inFiles = getOrAdd(sets, files, () => {
      const once = sumOf(files, (uri) => facts.get(uri)?.objects ?? 0);
      return { once, changes: sumOf(files, changesIn), objects: 0 };
    });
    // The parts also include the file that defines a GitOps object, which the scope does not build.
    const parts = scopes.partsOf(scope);
    const others = [...new Set(parts)].filter((uri) => !files.has(uri));
    const kustomizations = parts.filter((uri) => facts.get(uri)?.kustomization !== undefined);
    const weight = 1 + (inFiles.changes + sumOf(others, changesIn)) / patchesPerObject;
    const objects = weight * kustomizations.reduce((most, uri) => Math.max(most, builtIn(uri)), inFiles.once);
    const cost = Math.max(objects, objectsPerScope);
    inFiles.objects += cost;
    for (const uri of others) add(uri, cost);
    built.push({ path, files, others, objects });
  }
  for (const [each, { objects }] of sets) for (const uri of each) add(uri, objects);
  let most = 0;
  for (const objects of around.values()) most = Math.max(most, objects);
  const files = new Set([...around].flatMap(([uri, objects]) => (objects > maximumAround ? [uri] : [])));
  const maximumTotal = 2 * maximumAround + objectsPerFile * facts.size;
  const total = built.reduce((sum, { objects }) => sum + objects, 0);
  const large = total > maximumTotal ? beyond(built, maximumTotal) : [];
  for (const each of new Set(large.map((scope) => scope.files))) for (const uri of each) files.add(uri);
  for (const { others } of large) for (const uri of others) files.add(uri);
  const first = new Set<string>();
  const leastIn = (uris: Iterable<string>) => {
    let least: string | undefined;
    for (const uri of uris) if (files.has(uri) && (least === undefined || uri < least)) least = uri;
    return least;
  };
  const leastOf = memoized(leastIn);
  for (const { files: own, others } of files.size === 0 ? [] : built) {
    const least = leastIn([leastOf(own), leastIn(others)].flatMap((uri) => uri ?? []));
    if (least !== undefined) first.add(least);
  }
  return { files, first, most, leftOut: new Set(large.map(({ path }) => path)) };
}

/** Returns the largest scopes, without which the others build no more objects than the maximum. */
function beyond(built: readonly BuiltScope[], maximum: number): readonly BuiltScope[] {
  let left = maximum;
  return built
    .toSorted((a, b) => a.objects - b.objects)
    .filter(({ objects }) => {
      left -= objects;
      return left < 0;
    });
}

/** Returns a function that returns the number of objects that a kustomization builds, in which an object counts each time that a base with it is included. */
function builtObjects(facts: ReadonlyMap<string, ScopeFacts>): (uri: string) => number {
  const byFolder = new Map<string, string>();
  for (const [uri, { kustomization }] of facts) if (kustomization !== undefined) byFolder.set(folderOf(uri), uri);
  const counts = new Map<string, number>();
  const countIn = (uri: string): number => {
    const known = counts.get(uri);
    if (known !== undefined) return known;
    // A kustomization that includes itself builds nothing.
    counts.set(uri, 0);
    const { kustomization, objects = 0 } = facts.get(uri) ?? {};
    if (kustomization === undefined) {
      counts.set(uri, objects);
      return objects;
    }
    // A damaged cache may lack the lists, which must not prevent the checks of all files.
    const { resources = [], components = [] } = kustomization;
    const count = sumOf([...resources, ...components], (path) => {
      const included = resolveUri(folderOf(uri), path);
      return countIn(byFolder.get(included) ?? included);
    });
    const capped = Math.min(count, maximumAround + 1);
    counts.set(uri, capped);
    return capped;
  };
  return countIn;
}
