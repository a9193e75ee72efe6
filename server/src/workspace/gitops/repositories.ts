/**
 * Decides which sources of GitOps objects are the files of this workspace. No file states which repository it is in, so
 * this is derived from paths: an object whose path contains the object itself, or the repository most of whose paths
 * exist here.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { GitopsFacts, GitopsSource } from '../../manifests/gitops/model.ts';
import { folderOf, isWithin, resolveUri } from '../uri.ts';
import type { FolderTree } from './folder-tree.ts';

/** A source and the file that defines it. */
interface SourceInFile {
  readonly uri: string;
  readonly source: GitopsSource;
}

/** Returns the folder of a source of an object in a file; undefined if it is not in this workspace. */
export type FindFolder = (uri: string, source: GitopsSource) => string | undefined;

/** The counts of one repository below one possible root. */
interface Group {
  readonly repository: string;
  readonly root: string;
  readonly paths: Set<string>;
  isCertain: boolean;
}

/** Finds the repositories of all sources; `folders` are the workspace folders. */
export function findRepositories(
  objects: readonly { readonly uri: string; readonly facts: GitopsFacts }[],
  tree: FolderTree,
  folders: readonly string[],
): FindFolder {
  const roots = folders.map((folder) => folder.replace(/\/$/, ''));
  const all = objects.flatMap(({ uri, facts }) => facts.sources.map((source): SourceInFile => ({ uri, source })));
  const groups = new Map<string, Group>();
  for (const each of all) {
    const root = rootOf(each, tree, roots);
    const { path, repository = '' } = each.source;
    if (root === undefined || path === undefined || path === '') continue;
    const group = getOrAdd(groups, `${root}\n${repository}`, () => {
      return { repository, root, paths: new Set<string>(), isCertain: false };
    });
    group.paths.add(path);
    if (isWithin(each.uri, resolveUri(root, path))) group.isCertain = true;
  }
  const here = new Set(mostLikely([...groups.values()]));
  const rootsOf = new Map<string, string[]>();
  for (const { root, repository } of here) getOrAdd(rootsOf, repository, () => []).push(root);
  return (uri, { path, repository = '' }) => {
    if (path === undefined) return undefined;
    const around = (rootsOf.get(repository) ?? []).filter((root) => isWithin(uri, root));
    // The innermost root is that of the repository that contains the file.
    const candidates = around.toSorted((a, b) => b.length - a.length).map((root) => resolveUri(root, path));
    return candidates.find((folder) => tree.has(folder));
  };
}

/** Of the repositories with a common root, the one with the most paths; those that are certain are all retained. */
function mostLikely(groups: readonly Group[]): readonly Group[] {
  const best = new Map<string, Group>();
  for (const group of groups) {
    const known = best.get(group.root);
    if (known === undefined || known.paths.size < group.paths.size) best.set(group.root, group);
  }
  return groups.filter((group) => {
    if (group.isCertain) return true;
    const isRivaled = groups.some((other) => other.isCertain && other.root === group.root);
    return best.get(group.root) === group && !isRivaled;
  });
}

/** The outermost folder around a file in which the path of its source exists. */
function rootOf({ uri, source }: SourceInFile, tree: FolderTree, roots: readonly string[]): string | undefined {
  const { path } = source;
  if (path === undefined || path === '') return undefined;
  let found: string | undefined;
  for (let folder = folderOf(uri); roots.some((root) => isWithin(folder, root)); folder = folderOf(folder)) {
    if (tree.has(resolveUri(folder, path))) found = folder;
  }
  return found;
}
