/**
 * Finds the files, apart from resources, that decide what kustomizations build: patches, plugins and configurations.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Workspace } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** The URIs of the files that a kustomization file names and that are not its resources; empty for any other file. */
export function filesNamedBy(workspace: Workspace, uri: string): readonly string[] {
  const { patches = [], plugins = [], others = [] } = workspace.scopes().facts().get(uri)?.kustomization ?? {};
  return [...patches, ...plugins, ...others].map((path) => workspace.at(folderOf(uri), path));
}

/**
 * By the URI of a file that is named so, those of the kustomizations that name it. Cached as long as no scope changes.
 */
export function kustomizationsNaming(workspace: Workspace): ReadonlyMap<string, readonly string[]> {
  return getOrAdd(known, workspace.scopes().facts(), () => {
    const naming = new Map<string, string[]>();
    for (const uri of workspace.scopes().facts().keys())
      for (const target of filesNamedBy(workspace, uri)) getOrAdd(naming, target, () => []).push(uri);
    return naming;
  });
}

const including = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/**
 * By the URI of a file or of a folder, the kustomizations that list it in `resources` or `components`. Cached as long
 * as no scope changes.
 */
export function kustomizationsListing(workspace: Workspace): ReadonlyMap<string, readonly string[]> {
  const facts = workspace.scopes().facts();
  return getOrAdd(including, facts, () => {
    const listing = new Map<string, string[]>();
    for (const [uri, { kustomization }] of facts)
      for (const path of [...(kustomization?.resources ?? []), ...(kustomization?.components ?? [])])
        getOrAdd(listing, workspace.at(folderOf(uri), path), () => []).push(uri);
    return listing;
  });
}

/** The folders of all kustomizations that include the one in a folder, directly or not, and this folder itself. */
export function foldersIncluding(workspace: Workspace, folder: string): ReadonlySet<string> {
  const listing = kustomizationsListing(workspace);
  const found = new Set([folder]);
  for (const each of found) for (const uri of listing.get(each) ?? []) found.add(folderOf(uri));
  return found;
}

/** The kustomizations with transformers: only a transformer knows which files it reads, from any folder. */
export function withTransformers(workspace: Workspace): readonly string[] {
  return [...workspace.scopes().facts()].flatMap(([uri, { kustomization }]) =>
    kustomization?.transforms || (kustomization?.plugins.length ?? 0) > 0 ? [uri] : [],
  );
}
