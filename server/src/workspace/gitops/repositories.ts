/**
 * Decides which sources of GitOps objects are the files of this workspace. No file states which repository it is in, so
 * this is derived from paths: an object whose path contains the object itself, or the repository most of whose paths
 * exist here.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { GitopsFacts, GitopsSource } from '../../manifests/gitops/model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, isWithin, resolveUri } from '../uri.ts';
import type { FolderTree } from './folder-tree.ts';

/** A source and the file that defines it. */
interface SourceInFile {
  readonly uri: string;
  readonly source: GitopsSource;
}

/** The folder of a source in this workspace. */
export interface LocatedFolder {
  readonly folder: string;
  /** The root of the repository. */
  readonly root: string;
  /** False if the workspace contains no file in the folder. */
  readonly exists: boolean;
  /** The source is certainly the repository of this workspace; otherwise this is assumed. */
  readonly isCertain: boolean;
}

/** Returns the folder of a source of an object in a file; undefined if it is not in this workspace. */
type FindFolder = (uri: string, source: GitopsSource) => LocatedFolder | undefined;

/** The counts of one repository below one possible root. */
interface Group {
  readonly repository: string;
  readonly root: string;
  /** The paths that exist. */
  readonly paths: Set<string>;
  isCertain: boolean;
}

/** Finds the repositories of all sources; `folders` are the workspace folders. */
export function findRepositories(
  objects: readonly { readonly uri: string; readonly facts: GitopsFacts }[],
  files: ReadonlyMap<string, ScopeFacts>,
  tree: FolderTree,
  folders: readonly string[],
): FindFolder {
  const roots = folders.map((folder) => folder.replace(/\/$/, ''));
  const repositoryOf = repositoriesIn(files);
  const all = objects.flatMap(({ uri, facts }) => facts.sources.map((source): SourceInFile => ({ uri, source })));
  const groups = new Map<string, Group>();
  for (const each of all) {
    const root = rootOf(each, tree, roots);
    const { path } = each.source;
    const repository = repositoryOf(each.source);
    if (root === undefined || path === undefined || path === '') continue;
    const group = getOrAdd(groups, `${root}\n${repository}`, () => {
      return { repository, root, paths: new Set<string>(), isCertain: false };
    });
    group.paths.add(path);
    if (isWithin(each.uri, resolveUri(root, path))) group.isCertain = true;
  }
  const here = new Map<string, Group[]>();
  for (const group of mostLikely([...groups.values()])) getOrAdd(here, group.repository, () => []).push(group);
  return (uri, source) => {
    const { path } = source;
    if (path === undefined) return undefined;
    const around = (here.get(repositoryOf(source)) ?? []).filter(({ root }) => isWithin(uri, root));
    // The innermost root is that of the repository that contains the file.
    const located = around
      .toSorted((a, b) => b.root.length - a.root.length)
      .map(({ root, isCertain }): LocatedFolder => {
        const folder = resolveUri(root, path);
        return { folder, root, isCertain, exists: tree.has(folder) };
      });
    return located.find(({ exists }) => exists) ?? located[0];
  };
}

/** Identifies the repository of a source: by its URL if a file states it, otherwise by the object that provides it. */
function repositoriesIn(files: ReadonlyMap<string, ScopeFacts>): (source: GitopsSource) => string {
  const urls = new Map<string, string>();
  files.forEach(({ gitopsSources = [] }) => {
    for (const { id, url } of gitopsSources) {
      if (url === undefined) continue;
      urls.set(id, url);
      // A kustomization may set the namespace of the source, or of the object that refers to it.
      urls.set(withoutNamespace(id), url);
    }
  });
  return ({ repository = '' }) => {
    const name = withoutNamespace(repository);
    return comparableUrl(urls.get(repository) ?? urls.get(name) ?? name);
  };
}

/** The kind and name of the object that provides a source; a URL as it is. */
function withoutNamespace(repository: string): string {
  return repository.replace(/^([A-Za-z]+)\/[^/]*\/([^/]+)$/, '$1/$2');
}

/** The host and the path of a URL, so that its forms for different protocols are equal. */
function comparableUrl(url: string): string {
  const start = url.indexOf('://');
  const rest = start === -1 ? url : url.slice(start + 3);
  const [host = '', ...steps] = rest
    .slice(rest.indexOf('@') + 1)
    .split('/')
    .filter((step) => step !== '');
  // `git@host:path` has a path, `host:22/path` a port.
  const [name = '', after = ''] = host.split(':');
  const path = [name, ...(/^\d*$/.test(after) ? [] : [after]), ...steps].join('/').toLowerCase();
  return path.endsWith('.git') ? path.slice(0, -4) : path;
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
