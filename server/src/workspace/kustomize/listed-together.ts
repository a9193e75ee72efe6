/** Finds the files that a kustomization lists together and that contain an object of the same kind and name. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { folderOf, resolveUri } from '../uri.ts';

interface ResourceList {
  readonly uris: readonly string[];
}

/** For each list, the files by kind and name of their objects, for names that occur in several files. */
const sharedNames = new WeakMap<Scopes, Map<ResourceList, ReadonlyMap<string, readonly string[]>>>();

/** Returns a function that finds files with an object of the same kind and name, among the other files that a kustomization lists together with a file. Uses only the summaries of files that the scopes are computed from, not the objects themselves. */
export function namesakesOf(workspace: Workspace, uri: string) {
  const shared = namesListedWith(workspace.scopes(), uri);
  return (object: ManifestObject): readonly WorkspaceFile[] => {
    if (shared.length === 0) return [];
    const uris = new Set(shared.flatMap((files) => files.get(nameIn(object)) ?? []));
    uris.delete(uri);
    return [...uris].flatMap((each) => workspace.files.get(each) ?? []);
  };
}

const namesListedWith = scopeQuery(
  'names listed with',
  (scopes, uri: string) => {
    const lists = listsIn(scopes.structure()).get(uri) ?? [];
    const known = getOrAdd(sharedNames, scopes, () => new Map<ResourceList, ReadonlyMap<string, readonly string[]>>());
    return lists.map((list) => getOrAdd(known, list, () => sharedIn(scopes, list))).filter(({ size }) => size > 0);
  },
  (shared) => JSON.stringify(shared.map((files) => [...files])),
);

function sharedIn(scopes: Scopes, { uris }: ResourceList): ReadonlyMap<string, readonly string[]> {
  const first = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const uri of new Set(uris)) {
    for (const identity of scopes.factsOf(uri)?.identities ?? []) {
      const name = withoutNamespace(identity);
      const before = first.get(name);
      if (before === undefined) first.set(name, uri);
      else if (before !== uri) getOrAdd(shared, name, () => [before]).push(uri);
    }
  }
  return shared;
}

/** Returns an identity without its namespace, in the form that `nameIn` returns. */
export function withoutNamespace(identity: string): string {
  const namespace = identity.indexOf('\n', identity.indexOf('\n') + 1);
  return identity.slice(0, namespace) + identity.slice(identity.lastIndexOf('\n'));
}

/** Returns the stored group, the kind and the name of an object in the form that `withoutNamespace` returns. */
export function nameIn(object: ManifestObject): string {
  return `${storedGroup(object)}\n${object.kind}\n${object.name?.text ?? ''}`;
}

/** Returns, for each file, the resource lists that contain it. The result is cached as long as only names change. */
const listsIn = memoized((facts: ReturnType<Scopes['structure']>): ReadonlyMap<string, readonly ResourceList[]> => {
  const lists = new Map<string, readonly ResourceList[]>();
  // Reuses the URI strings of the files, because newly created strings would stay in memory.
  const known = new Map([...facts.keys()].map((uri) => [uri, uri]));
  for (const [uri, { kustomization }] of facts) {
    if (kustomization === undefined) continue;
    const folder = folderOf(uri);
    const uris = kustomization.resources.flatMap((path) => known.get(resolveUri(folder, path)) ?? []);
    const list: ResourceList = { uris };
    for (const each of new Set(uris)) lists.set(each, lists.get(each)?.concat(list) ?? [list]);
  }
  return lists;
});
