/** Finds the files other than resources that affect what kustomizations build: patches, plugins and configurations. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Workspace } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';

export type Structure = Pick<Workspace, 'scopes' | 'at'>;

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the URIs of the files that a kustomization file names and that are not its resources; empty for any other file. */
export function filesNamedBy(workspace: Structure, uri: string): readonly string[] {
  const { patches = [], plugins = [], others = [] } = workspace.scopes().facts().get(uri)?.kustomization ?? {};
  return [...patches, ...plugins, ...others].map((path) => workspace.at(folderOf(uri), path));
}

/** Returns the URIs of the kustomizations that name a file, by the URI of that file. The result is cached while no scope changes. */
export function kustomizationsNaming(workspace: Structure): ReadonlyMap<string, readonly string[]> {
  return getOrAdd(known, workspace.scopes().structure(), (facts) => {
    const naming = new Map<string, string[]>();
    for (const uri of facts.keys())
      for (const target of filesNamedBy(workspace, uri)) getOrAdd(naming, target, () => []).push(uri);
    return naming;
  });
}

const including = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the kustomizations that list a file or folder in `resources` or `components`, by the URI of the file or folder. The result is cached while no scope changes. */
export function kustomizationsListing(workspace: Structure): ReadonlyMap<string, readonly string[]> {
  return getOrAdd(including, workspace.scopes().structure(), (facts) => {
    const listing = new Map<string, string[]>();
    for (const [uri, { kustomization }] of facts)
      for (const path of [...(kustomization?.resources ?? []), ...(kustomization?.components ?? [])])
        getOrAdd(listing, workspace.at(folderOf(uri), path), () => []).push(uri);
    return listing;
  });
}

/** Returns the given folder, and the folders of all kustomizations that include the kustomization in it, directly or indirectly. */
export function foldersIncluding(workspace: Structure, folder: string): ReadonlySet<string> {
  const listing = kustomizationsListing(workspace);
  const found = new Set([folder]);
  for (const each of found) for (const uri of listing.get(each) ?? []) found.add(folderOf(uri));
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
