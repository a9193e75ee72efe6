/** Determines which sources of GitOps objects are the repository of this workspace, based on the URLs in the configuration and the remotes of the git repository. If these are inconclusive, an object whose path contains the object itself belongs to this repository, and so does the repository of which most paths exist in the workspace. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { CopiedFolder, GitopsFacts, GitopsSource } from '../../manifests/gitops/model.ts';
import { inRepository } from '../../manifests/gitops/published-artifacts.ts';
import { plainPath, repositoryKey } from '../../manifests/gitops/repository-url.ts';
import type { Configs } from '../configs.ts';
import type { Listing } from '../live/folder-listing.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, isWithin, resolveUri } from '../uri.ts';
import type { FolderTree } from './folder-tree.ts';

interface SourceInFile {
  readonly uri: string;
  readonly source: GitopsSource;
}

export interface LocatedFolder {
  readonly folder: string;
  readonly root: string;
  /** Whether the workspace contains a file in the folder. */
  readonly exists: boolean;
  /** Whether the source is certainly the repository of this workspace; if false, this is only assumed. */
  readonly isCertain: boolean;
  /**
   * The repository, or the object that names it, if only the existing paths suggest that it is the repository of this
   * workspace.
   */
  readonly assumed?: string;
  /** Whether the source may have a different revision than the workspace. */
  readonly isPinned?: true;
}

/** Returns the folder of a source in this workspace; undefined if the source is another repository. `uri` is the file that defines the source. */
type FindFolder = (uri: string, source: GitopsSource) => LocatedFolder | undefined;

/** The workspace folders and the data that identifies their repositories. */
interface Around {
  readonly folders: readonly string[];
  readonly configs: Configs;
  readonly listing: Listing;
}

/** The sources of one repository that may be below one root. */
interface Group {
  readonly repository: string;
  readonly root: string;
  /** The paths of sources that exist below the root. */
  readonly paths: Set<string>;
  isCertain: boolean;
  /** Whether a remote or the configuration has the URL of the repository; undefined if the URL is unknown. */
  isByUrl: boolean | undefined;
  /** Whether commands in the workspace publish folders under the URL. */
  readonly isPublished: boolean;
}

export function findRepositories(
  objects: readonly { readonly uri: string; readonly facts: GitopsFacts }[],
  files: ReadonlyMap<string, ScopeFacts>,
  tree: FolderTree,
  { folders: roots, configs, listing }: Around,
): FindFolder {
  const inWorkspace = sourcesInWorkspace(files, { configs, listing, folders: roots });
  const all = objects.flatMap(({ uri, facts }) => facts.sources.map((each) => ({ uri, ...inWorkspace(each, uri) })));
  const groups = new Map<string, Group>();
  /** Whether a source is the repository that contains its file; undefined if that cannot be determined. */
  const isOwn = (uri: string, { key, isUrl }: SourceRepository): boolean | undefined => {
    const declared = configs.of(uri)?.config.values.repository;
    if (!isUrl) return undefined;
    if (declared !== undefined) return declared.some((url) => repositoryKey(url) === key);
    // The remotes may belong to a fork, so a different URL does not exclude the source.
    return listing.repositoryOf(uri)?.remotes.includes(key) || undefined;
  };
  for (const each of all) {
    const { repository, published } = each;
    const { path } = each.source;
    const own = isOwn(each.uri, repository);
    if (path === undefined || own === false) continue;
    const isCertain = own === true && !isOtherRevision(each.uri, repository, listing);
    const ownRoot = isCertain ? listing.repositoryOf(each.uri)?.root : published?.root;
    const root = ownRoot ?? rootOf(each, tree, roots);
    if (root === undefined || (path === '' && ownRoot === undefined)) continue;
    const isByUrl = own ?? (repository.isUrl ? false : undefined);
    const group = getOrAdd(groups, `${root}\n${repository.key}`, () => {
      const isPublished = published !== undefined;
      return { repository: repository.key, root, paths: new Set<string>(), isCertain, isByUrl, isPublished };
    });
    const folder = resolveUri(root, path);
    if (tree.has(folder)) group.paths.add(path);
    if (isByUrl) group.isByUrl = true;
    if (isCertain || isWithin(each.uri, folder)) group.isCertain = true;
  }
  const here = byRepository(mostLikely([...groups.values()]));
  return (uri, copied) => {
    const { source, repository } = inWorkspace(copied, uri);
    const { path } = source;
    const { key, isUrl } = repository;
    if (path === undefined || isOwn(uri, repository) === false) return undefined;
    const isPinned = isOtherRevision(uri, repository, listing);
    const around = (here.get(key) ?? []).filter(({ root }) => isWithin(uri, root));
    // The innermost root is the root of the repository that contains the file.
    const located = around
      .toSorted((a, b) => b.root.length - a.root.length)
      .map(({ root, isCertain }): LocatedFolder => {
        const folder = resolveUri(root, path);
        const isInside = roots.some((each) => isWithin(folder, each)) && !isInSubmodule(folder, listing);
        const assumed = isUrl ? key : withoutNamespace(source.repository ?? '');
        return {
          folder,
          root,
          isCertain: isCertain && !isPinned && isInside,
          exists: tree.has(folder),
          ...(!isCertain && assumed !== '' && { assumed }),
          ...(isPinned && { isPinned }),
        };
      });
    return located.find(({ exists }) => exists) ?? located[0];
  };
}

/** Returns a function that returns a source with its repository, and with its path in the workspace if the source is copied from another one, or published by the workspace. */
function sourcesInWorkspace(files: ReadonlyMap<string, ScopeFacts>, around: Around) {
  const original = originalSources(files);
  const repositoryOf = repositoriesIn(files);
  const publishedAs = publishedFolders(files, around);
  return (copied: GitopsSource, uri: string) => {
    const source = original(copied, uri);
    const repository = repositoryOf(source);
    const name = withoutNamespace(source.repository ?? '');
    const published = publishedAs(repository.isUrl ? [repository.key, name] : [name]);
    if (published === undefined || source.path === undefined) return { source, repository };
    return { source: { ...source, path: plainPath(`${published.path}/${source.path}`) }, repository, published };
  };
}

/** Whether a folder belongs to a submodule, whose files may be absent. */
function isInSubmodule(folder: string, listing: Listing): boolean {
  const repository = listing.repositoryOf(folder);
  return (repository?.submodules ?? []).some((path) => isWithin(folder, resolveUri(repository?.root ?? '', path)));
}

function byRepository(groups: readonly Group[]): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const group of groups) getOrAdd(found, group.repository, () => []).push(group);
  return found;
}

/** Returns a function that maps the source of an artifact, which is composed of other sources, to the source that contains its folder. */
function originalSources(files: ReadonlyMap<string, ScopeFacts>): (source: GitopsSource, uri: string) => GitopsSource {
  const artifacts = new Map<string, Artifact[]>();
  files.forEach(({ gitopsSources = [] }, uri) => {
    for (const { id, copies } of gitopsSources) {
      if (copies === undefined) continue;
      for (const name of new Set([id, withoutNamespace(id)])) getOrAdd(artifacts, name, () => []).push({ uri, copies });
    }
  });
  return (source, uri) => {
    const { repository = '', path } = source;
    if (!repository.startsWith('ExternalArtifact/') || path === undefined) return source;
    const copies = nearest(artifacts.get(repository) ?? artifacts.get(withoutNamespace(repository)) ?? [], uri);
    const isAround = (outer: string, inner: string) => outer === '' || inner === outer || inner.startsWith(`${outer}/`);
    const [only, ...others] = copies.filter(({ to }) => isAround(to, path) || isAround(path, to));
    const { path: _, ...unknown } = source;
    if (only?.from === undefined || others.length > 0 || !isAround(only.to, path))
      return { ...unknown, path: undefined };
    const inside = plainPath(`${only.from}/${path.slice(only.to.length)}`);
    return { ...source, path: inside, repository: only.repository, isPinned: true };
  };
}

/** The folders that are copied into an artifact, and the file that defines it. */
interface Artifact {
  readonly uri: string;
  readonly copies: readonly CopiedFolder[];
}

/** Returns the copied folders of the artifact in the folder that is nearest to a file: two clusters may have different artifacts with the same name. Empty if different artifacts are equally near. */
function nearest(artifacts: readonly Artifact[], uri: string): readonly CopiedFolder[] {
  let folder = folderOf(uri);
  let around = artifacts.filter((each) => isWithin(each.uri, folder));
  while (around.length === 0 && folder !== '') {
    folder = folderOf(folder);
    around = artifacts.filter((each) => isWithin(each.uri, folder));
  }
  const [first, ...others] = around.map(({ copies }) => copies);
  const isSame = (each: readonly CopiedFolder[]) => JSON.stringify(each) === JSON.stringify(first);
  return first !== undefined && others.every(isSame) ? first : [];
}

/** A folder of the workspace that is published as an artifact; the path is relative to the root. */
interface PublishedFolder {
  readonly root: string;
  readonly path: string;
}

/** Returns a function that returns the only folder that commands in the workspace or configurations publish under one of some keys: the key of a URL, or the kind and name of a source. Commands run in the root of their repository. */
function publishedFolders(
  files: ReadonlyMap<string, ScopeFacts>,
  { configs, listing, folders }: Around,
): (keys: readonly string[]) => PublishedFolder | undefined {
  const rootAround = (uri: string) =>
    listing.repositoryOf(uri)?.root ?? folders.find((each) => isWithin(uri, each)) ?? folderOf(uri);
  const byCommands = [...files].flatMap(([uri, { publishes = [] }]) =>
    publishes.map(({ repository, path }) => {
      const remotes = listing.repositoryOf(uri)?.remotes ?? [];
      const keys = [repository, ...remotes.map((remote) => inRepository(repository, remote))];
      return { keys, folder: { root: rootAround(uri), path: plainPath(path) } };
    }),
  );
  const byConfigs = [...configs.all()].flatMap(({ uri, config }) =>
    (config.values.published ?? []).map(({ source, path }) => {
      const root = rootAround(uri);
      const keys = source.includes('://') ? [repositoryKey(source)] : [source];
      return { keys, folder: { root, path: plainPath(`${folderOf(uri).slice(root.length)}/${path}`) } };
    }),
  );
  return (wanted) => {
    const found = [byConfigs, byCommands].map((all) =>
      all.flatMap(({ keys, folder }) => (keys.some((key) => wanted.includes(key)) ? folder : [])),
    );
    const [first, ...others] = found.find((each) => each.length > 0) ?? [];
    const isOnly = others.every(({ root, path }) => root === first?.root && path === first.path);
    return isOnly ? first : undefined;
  };
}

interface SourceRepository {
  /**
   * The key of the repository's URL if a file contains it, or else the kind and name of the object that provides it.
   */
  readonly key: string;
  readonly isUrl: boolean;
  /** Whether the source has a fixed revision, and so may contain files that differ from the files of the workspace. */
  readonly isPinned: boolean;
  /**
   * The branch to which the revision is fixed. If it is the current branch, the source provides the revision of the
   * workspace.
   */
  readonly branch?: string | undefined;
}

/** Whether a source of an object in a file may provide a revision other than the revision in the workspace. */
function isOtherRevision(uri: string, { isPinned, branch }: SourceRepository, listing: Listing): boolean {
  return isPinned && (branch === undefined || branch !== listing.repositoryOf(uri)?.branch);
}

function repositoriesIn(files: ReadonlyMap<string, ScopeFacts>): (source: GitopsSource) => SourceRepository {
  const urls = new Map<string, string>();
  const pinned = new Map<string, string | undefined>();
  files.forEach(({ gitopsSources = [] }) => {
    for (const { id, url, isPinned, branch } of gitopsSources) {
      // A kustomization may set the namespace of the source, or of the object that refers to it.
      for (const name of [id, withoutNamespace(id)]) {
        if (url !== undefined) urls.set(name, url);
        if (isPinned) pinned.set(name, branch);
      }
    }
  });
  return ({ repository = '', tool, isPinned = false, branch }) => {
    const name = withoutNamespace(repository);
    const url = urls.get(repository) ?? urls.get(name) ?? (tool === 'argo' ? repository : undefined);
    return {
      key: repositoryKey(url ?? name),
      isUrl: url !== undefined && url !== '' && !url.includes('{{'),
      isPinned: isPinned || pinned.has(name),
      branch: branch ?? pinned.get(name),
    };
  };
}

/** Returns the kind and name of the object that provides a source; a URL is returned unchanged. */
function withoutNamespace(repository: string): string {
  return repository.replace(/^([A-Za-z]+)\/[^/]*\/([^/]+)$/, '$1/$2');
}

/** Returns, for each root, the repository with the most paths, and all repositories that are certain. */
function mostLikely(groups: readonly Group[]): readonly Group[] {
  const best = new Map<string, Group>();
  for (const group of groups) {
    const known = best.get(group.root);
    if (group.isPublished) continue;
    if (known === undefined || known.paths.size < group.paths.size) best.set(group.root, group);
  }
  const rootsByUrl = new Set(groups.filter(({ isByUrl }) => isByUrl).map(({ root }) => root));
  return groups.filter((group) => {
    if (group.isPublished) return true;
    // A second repository may have the same folders, for example a private one.
    if (group.isByUrl === false && rootsByUrl.has(group.root)) return false;
    if (group.isCertain) return true;
    const isRivaled = groups.some((other) => other.isCertain && other.root === group.root);
    return best.get(group.root) === group && !isRivaled;
  });
}

/** Returns the outermost folder around a file in which the path of the source exists. */
function rootOf({ uri, source }: SourceInFile, tree: FolderTree, roots: readonly string[]): string | undefined {
  const { path } = source;
  if (path === undefined || path === '') return undefined;
  let found: string | undefined;
  for (let folder = folderOf(uri); roots.some((root) => isWithin(folder, root)); folder = folderOf(folder)) {
    if (tree.has(resolveUri(folder, path))) found = folder;
  }
  return found;
}
