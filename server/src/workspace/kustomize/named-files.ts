/** Finds the files other than resources that affect what kustomizations build: patches, plugins and configurations. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Workspace } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';

export type Structure = Pick<Workspace, 'scopes'>;

/** Returns the URIs of the files that a kustomization file names and that are not its resources; empty for any other file. */
export function filesNamedBy(scopes: Scopes, uri: string): readonly string[] {
  const { patches = [], plugins = [], others = [] } = scopes.factsOf(uri)?.kustomization ?? {};
  return [...patches, ...plugins, ...others].map((path) => scopes.at(folderOf(uri), path));
}

type ByTarget = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ByTarget>();

/** Returns the URIs of the kustomizations that name a file. */
export const kustomizationsNaming = scopeQuery(
  'kustomizations naming',
  (scopes, target: string): readonly string[] => {
    const byTarget = getOrAdd(known, scopes.structure(), (facts) => {
      const naming = new Map<string, string[]>();
      for (const uri of facts.keys())
        for (const each of filesNamedBy(scopes, uri)) getOrAdd(naming, each, () => []).push(uri);
      return naming;
    });
    return byTarget.get(target) ?? [];
  },
  (uris) => uris.join(' '),
);

const including = new WeakMap<ReadonlyMap<string, ScopeFacts>, ByTarget>();

/** Returns the URIs of the kustomizations that list a file or folder in `resources` or `components`. */
export const kustomizationsListing = scopeQuery(
  'kustomizations listing',
  (scopes, target: string): readonly string[] => {
    const byTarget = getOrAdd(including, scopes.structure(), (facts) => {
      const listing = new Map<string, string[]>();
      for (const [uri, { kustomization }] of facts)
        for (const path of [...(kustomization?.resources ?? []), ...(kustomization?.components ?? [])])
          getOrAdd(listing, scopes.at(folderOf(uri), path), () => []).push(uri);
      return listing;
    });
    return byTarget.get(target) ?? [];
  },
  (uris) => uris.join(' '),
);

/** Returns the given folder, and the folders of all kustomizations that include the kustomization in it, directly or indirectly. */
export function foldersIncluding(scopes: Scopes, folder: string): ReadonlySet<string> {
  const found = new Set([folder]);
  for (const each of found) for (const uri of kustomizationsListing(scopes, each)) found.add(folderOf(uri));
  return found;
}

const transforming = new WeakMap<ReadonlyMap<string, ScopeFacts>, readonly string[]>();

/** Returns the kustomizations that have transformers, since only a transformer knows which files it reads, from any folder. The result is cached while no scope changes. */
export function withTransformers(workspace: Structure): readonly string[] {
  return getOrAdd(transforming, workspace.scopes().structure(), (facts) =>
    [...facts].flatMap(([uri, { kustomization }]) =>
      kustomization?.transforms || (kustomization?.plugins.length ?? 0) > 0 ? [uri] : [],
    ),
  );
}
