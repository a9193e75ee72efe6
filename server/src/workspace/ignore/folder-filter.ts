/** Determines which files of a folder belong to the workspace, based on their names, the user's globs and git's ignore files. */

import { getOrAdd } from '../../engine/memoize.ts';
import { mayHoldCommands } from '../../manifests/inline/host-language.ts';
import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import { globMatcher } from '../../text/glob.ts';
import { hashOf } from '../../text/hash.ts';
import { localize } from '../../text/localize.ts';
import { isHelperFile, isOddTemplate, isPackagedChart } from '../charts/chart-files.ts';
import { helmIgnoreName } from '../charts/helm-ignore.ts';
import { codeOwnersName } from '../code-owners.ts';
import { isConfigName } from '../configs.ts';
import type { RepositoryIdentity } from '../gitops/git-remotes.ts';
import { sourceIgnoreName } from '../gitops/source-ignore.ts';
import { type GeneratedPaths, readGitAttributes } from '../live/generated-files.ts';
import { fileNameOf, folderOf, isWithin, relativePath, resolveUri } from '../uri.ts';
import { type IgnoreList, isIgnored, readIgnoreFile } from './gitignore.ts';

/** The files of which only the text is needed: those that state which files Flux or Helm excludes, and the owners of files. */
const textNames: ReadonlySet<string> = new Set([sourceIgnoreName, helmIgnoreName, codeOwnersName]);

/** Whether only the text of a file with a name is needed. */
export function isTextFile(name: string): boolean {
  return textNames.has(name);
}

/** The user's settings that determine which files are loaded. Globs are relative to the workspace folder, as in the editor's `files.exclude`. */
export interface Choice {
  /** If not empty, only files that match one of these globs are read. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Whether a file may be a manifest according to its name: a file that `kubectl -f` loads from a folder, or a kustomization. */
export function mayBeManifest(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) || isKustomizationName(name);
}

export const ignoreFileName = '.gitignore';
export const attributesFileName = '.gitattributes';

/** Folders with many files that never contain a manifest of the workspace. */
const skippedFolders = new Set(['.git', 'node_modules', '.terraform', '.vscode-test']);

/** What the index of a git repository states about the paths of files and folders. */
export interface GitIndex {
  /** Whether git tracks a file, or a file in a folder, which git then does not ignore. */
  isTracked(path: string): boolean;
  /** Whether git tracks a file that is not in the working tree because a sparse checkout leaves it out. */
  isLeftOut(path: string): boolean;
  /** Whether git now tracks other files of those that were asked for. */
  hasChanged?(): boolean;
}

/** The index of a place that contains only and all files that git tracks. */
export const completeIndex: GitIndex = { isTracked: () => true, isLeftOut: () => false };

/** The filter of one workspace folder. A caller that lists the folder passes the ignore files that it finds, the files of a folder before the files of its subfolders. Paths are relative to the workspace folder. */
export class FolderFilter {
  /** Canonical URI. */
  readonly folder: string;
  /** The files to list: manifests, or other files that may contain commands. */
  readonly wanted: 'manifests' | 'commands';
  readonly #included: (path: string) => boolean;
  readonly #excluded: (path: string) => boolean;
  /** The ignore list of each folder that contains an ignore file. */
  readonly #lists = new Map<string, IgnoreList | undefined>();
  /** The paths that each `.gitattributes` marks as generated, by the folder of the `.gitattributes`. */
  readonly #attributes = new Map<string, GeneratedPaths>();
  /**
   * The paths that the `.gitattributes` of each parent folder marks as generated, nearest folder first, with the path
   * from the parent folder to this folder.
   */
  #attributesAbove: readonly { readonly way: string; readonly paths: GeneratedPaths }[] = [];
  /** The rules of the parent folders, for paths that begin with `#place`. */
  #above: IgnoreList | undefined;
  /** Whether git tracks a path, by the root of the repository; '' is this folder, or the repository around it. */
  readonly #indexes = new Map<string, GitIndex>();
  /** Whether git ignores a folder that is entered nevertheless, because git tracks files in it. */
  #entersIgnored = false;
  /** The git repositories in the folder and the repository that contains it, by the URI of the root. */
  readonly #repositories = new Map<string, RepositoryIdentity>();
  readonly #cut = new Set<string>();
  readonly #learned: string[] = [];
  #place = '';

  constructor(folder: string, choice: Choice, wanted: 'manifests' | 'commands' = 'manifests') {
    this.folder = folder;
    this.wanted = wanted;
    this.#included = choice.include.length === 0 ? () => true : coveredBy(globMatcher(choice.include));
    this.#excluded = excluder(choice.exclude);
  }

  /**
   * Adds the ignore files of the parent folders, outermost first; `place` is the path of the folder below the root of a
   * repository. Rules that ignore the whole folder do not apply, because the user opened it nevertheless.
   */
  learnAbove(place: string, files: readonly { readonly folder: string; readonly text: string }[]): void {
    const list = files.reduce<IgnoreList | undefined>(
      (above, { folder, text }) => readIgnoreFile(text, folder, above),
      undefined,
    );
    const folders = prefixesOf(place);
    if (folders.some((folder) => isIgnored(list, folder, true))) return;
    this.#note(place, ...files.flatMap((each) => [each.folder, each.text]));
    this.#above = list;
    this.#place = place === '' ? '' : `${place}/`;
  }

  /**
   * Adds the ignore files of a folder. Rules of parent folders do not apply if the folder is the root of a separate
   * repository.
   */
  learn(folder: string, texts: readonly string[], ownRepository = false): void {
    this.#note(folder, `${ownRepository}`, ...texts);
    const above = ownRepository ? undefined : this.#listOf(folder);
    const place = this.#place + folder;
    let list = above;
    for (const text of texts) {
      list = readIgnoreFile(text, place.replace(/\/$/, ''), list);
      if (list.isCut) this.#cut.add(resolveUri(this.folder, `${folder === '' ? '' : `${folder}/`}${ignoreFileName}`));
    }
    this.#lists.set(folder, list);
  }

  #note(...texts: readonly string[]): void {
    this.#learned.push(hashOf(texts.join('\0')));
  }

  /** Returns a string that changes only if the content of an ignore or attribute file changes. */
  learned(): string {
    return this.#learned.toSorted().join(' ');
  }

  /**
   * Returns the ignore and attribute files of which only a part was read because they have too many patterns; each file is returned
   * once.
   */
  drainCutPaths(): readonly string[] {
    const cut = [...this.#cut];
    this.#cut.clear();
    return cut;
  }

  /** Adds a git repository that is in the folder, or that contains the folder. */
  learnRepository(repository: RepositoryIdentity): void {
    this.#note(repository.root, repository.branch ?? '', ...repository.remotes);
    this.#repositories.set(repository.root, repository);
  }

  /**
   * Adds the index of a repository whose root is the folder `root`; '' also stands for a repository around this folder.
   * Paths are relative to `root`.
   */
  learnIndex(root: string, index: GitIndex): void {
    this.#indexes.set(root, index);
  }

  /** Whether the files of the folder may be others because git tracks other files than when the folder was listed. */
  hasChangedIndex(): boolean {
    return [...this.#indexes.values()].some((index) => index.hasChanged?.());
  }

  /** Returns the known git repositories that contain a URI. */
  repositoriesOf(uri: string): readonly RepositoryIdentity[] {
    return [...this.#repositories.values()].filter(({ root }) => isWithin(uri, root));
  }

  /** Adds the `.gitattributes` of a folder. */
  learnAttributes(folder: string, text: string): void {
    this.#note(folder, text);
    const paths = readGitAttributes(text);
    if (paths.isCut)
      this.#cut.add(resolveUri(this.folder, `${folder === '' ? '' : `${folder}/`}${attributesFileName}`));
    this.#attributes.set(folder, paths);
  }

  /**
   * Adds the `.gitattributes` of parent folders, outermost first; `way` is the path from the parent folder to this
   * folder: `apps/shop`.
   */
  learnAttributesAbove(files: readonly { readonly way: string; readonly text: string }[]): void {
    this.#note('', ...files.flatMap(({ way, text }) => [way, text]));
    this.#attributesAbove = files.map(({ way, text }) => ({ way, paths: readGitAttributes(text) })).toReversed();
  }

  /**
   * Whether any `.gitattributes` applies to files of the folder. This is called for every file, and usually none
   * applies.
   */
  get knowsAttributes(): boolean {
    return this.#attributes.size > 0 || this.#attributesAbove.length > 0;
  }

  /**
   * Whether git marks the file as generated; undefined if no folder has an attribute for the file. The nearest folder
   * with an attribute takes precedence.
   */
  isMarkedGenerated(path: string): boolean | undefined {
    if (this.#attributes.size > 0) {
      for (let at = folderOf(path); ; at = folderOf(at)) {
        const described = this.#attributes.get(at)?.isGenerated(at === '' ? path : path.slice(at.length + 1));
        if (described !== undefined) return described;
        if (at === '') break;
      }
    }
    for (const { way, paths } of this.#attributesAbove) {
      const described = paths.isGenerated(`${way}/${path}`);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  /**
   * Returns the path of a URI relative to the folder: empty for the folder itself, undefined for a URI outside of it.
   */
  pathOf(uri: string): string | undefined {
    if (uri === this.folder) return '';
    return isWithin(uri, this.folder) ? relativePath(this.folder, uri) : undefined;
  }

  /** Whether a folder may contain relevant files, provided that its parent folders may. */
  entersFolder(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return !skippedFolders.has(name) && !this.#excluded(path) && !this.#isIgnored(path, true);
  }

  /** Whether a file is loaded, provided that the filter enters its parent folders. */
  acceptsFile(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isWanted =
      this.wanted === 'commands'
        ? mayHoldCommands(name)
        : mayBeManifest(name) || isHelperFile(path) || isOddTemplate(path) || isPackagedChart(path) || isTextFile(name);
    return isWanted && this.#lets(path);
  }

  /** Like `acceptsFile`, but also checks the folders of the file. */
  acceptsPath(path: string, entered?: Map<string, boolean>): boolean {
    return this.entersTo(folderOf(path), entered) && this.acceptsFile(path);
  }

  /** Whether the user or git excludes a path, or a sparse checkout leaves it out, regardless of its name. */
  leavesOut(path: string): boolean {
    return !this.entersTo(folderOf(path)) || !this.#lets(path) || this.#inIndex(path, 'isLeftOut');
  }

  #lets(path: string): boolean {
    // Configurations are read in every folder in which files are read.
    if (!isConfigName(path.slice(path.lastIndexOf('/') + 1)) && !this.#included(path)) return false;
    return !this.#excluded(path) && !this.#isIgnored(path, false);
  }

  /** Whether git ignores a path, provided that the filter enters its parent folders. */
  #isIgnored(path: string, isFolder: boolean): boolean {
    const matches =
      this.#matchesPattern(path, isFolder) ||
      (this.#entersIgnored && prefixesOf(folderOf(path)).some((folder) => this.#matchesPattern(folder, true)));
    if (!matches) return false;
    const isTracked = this.#inIndex(path, 'isTracked');
    if (isTracked && isFolder) this.#entersIgnored = true;
    return !isTracked;
  }

  #matchesPattern(path: string, isFolder: boolean): boolean {
    return isIgnored(this.#listOf(folderOf(path)), this.#place + path, isFolder);
  }

  /** Returns what the index of the innermost repository that contains a path states about it. */
  #inIndex(path: string, question: 'isTracked' | 'isLeftOut'): boolean {
    for (let root = folderOf(path); root !== ''; root = folderOf(root)) {
      const index = this.#indexes.get(root);
      if (index !== undefined) return index[question](path.slice(root.length + 1));
    }
    return this.#indexes.get('')?.[question](path) === true;
  }

  /** Whether a folder and all of its parent folders may contain relevant files; the answers for folders are added to `entered`. */
  entersTo(folder: string, entered = new Map<string, boolean>()): boolean {
    if (folder === '') return true;
    return getOrAdd(entered, folder, () => this.entersTo(folderOf(folder), entered) && this.entersFolder(folder));
  }

  /** Returns the rules that apply in a folder, which are the rules of the nearest folder with an ignore file. */
  #listOf(folder: string): IgnoreList | undefined {
    if (this.#lists.size === 0) return this.#above;
    for (let at = folder; ; at = folderOf(at)) {
      if (this.#lists.has(at)) return this.#lists.get(at);
      if (at === '') return this.#above;
    }
  }
}

/** The folders of a workspace. Determines whether a file that is created later belongs to one of these folders. */
export class Folders {
  readonly filters: readonly FolderFilter[];
  /** The parent folders, whose configurations may apply to the content of the workspace folders. */
  readonly around: readonly string[];
  /** The target of each symbolic link that leads into one of the folders, by the name of the link. */
  readonly links: ReadonlyMap<string, string>;
  /** The names of all symbolic links to files and folders. */
  readonly linkNames: readonly string[];

  /** `links` contains the target of each symbolic link, by the name of the link. */
  constructor(
    filters: readonly FolderFilter[],
    links: ReadonlyMap<string, string> = new Map(),
    around: readonly string[] = [],
  ) {
    this.filters = filters;
    this.around = around;
    this.linkNames = [...links.keys()];
    this.links = new Map([...links].filter(([, target]) => filters.some(({ folder }) => isWithin(target, folder))));
  }

  /** Returns a string that changes only if the content of an ignore or attribute file, or a link, changes. */
  rules(): string {
    return JSON.stringify([
      this.filters.map((filter) => filter.learned()),
      this.linkNames.toSorted(),
      [...this.links.values()].toSorted(),
    ]);
  }

  hasChangedIndex(): boolean {
    return this.filters.some((filter) => filter.hasChangedIndex());
  }

  /** Returns the filters of the folders that contain a URI; folders can be nested. */
  holding(uri: string): readonly FolderFilter[] {
    return this.filters.filter((filter) => isWithin(uri, filter.folder));
  }

  enterFolderOf(uri: string): boolean {
    return this.holding(uri).some((filter) => filter.entersTo(folderOf(filter.pathOf(uri) ?? '')));
  }

  /** Whether git marks a file as generated; undefined if no attribute applies to the file. */
  isMarkedGenerated(uri: string): boolean | undefined {
    for (const filter of this.filters) {
      const path = filter.knowsAttributes ? filter.pathOf(uri) : undefined;
      const described = path === undefined ? undefined : filter.isMarkedGenerated(path);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  /** Returns the innermost git repository that contains a file; undefined if none is known. */
  repositoryOf(uri: string): RepositoryIdentity | undefined {
    const all = this.filters.flatMap((filter) => filter.repositoriesOf(uri));
    return all.toSorted((a, b) => b.root.length - a.root.length)[0];
  }

  takes(uri: string): boolean {
    return this.filters.some((filter) => filter.acceptsPath(filter.pathOf(uri) ?? ''));
  }

  /**
   * Whether every workspace folder that contains a file excludes it; false for a file outside of all workspace folders.
   */
  leavesOut(uri: string): boolean {
    const holding = this.holding(uri);
    return holding.length > 0 && holding.every((filter) => filter.leavesOut(filter.pathOf(uri) ?? ''));
  }

  /** Returns why a file in a workspace folder is not loaded: ignore files and settings, or its name, such as `web.yaml.tmpl`; undefined if it is loaded. Its folder and commands in it do not matter. */
  unindexed(uri: string): string | undefined {
    if (this.leavesOut(uri)) return localize`.gitignore or settings`;
    const isRead = this.holding(uri).length === 0 || this.takes(uri) || mayHoldCommands(fileNameOf(uri));
    return isRead ? undefined : localize`file name`;
  }

  /** Returns the name under which a file is loaded: for a link to a file inside a folder, the name of its target. */
  fileNameOf(uri: string): string {
    if (this.links.size === 0) return uri;
    for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
      const target = this.links.get(uri.slice(0, end));
      if (target !== undefined) return target + uri.slice(end);
    }
    return uri;
  }
}

export function isIgnoreFile(uri: string): boolean {
  return fileNameOf(uri) === ignoreFileName;
}

/** Whether a URI is the URI of a `.gitattributes` file. */
export function isAttributesFile(uri: string): boolean {
  return fileNameOf(uri) === attributesFileName;
}

/**
 * Returns a function that matches paths with globs of hidden files. Most of these globs are one name in any folder, for
 * example `.git`; these names are looked up in a set, because all paths are tested.
 */
function excluder(globs: readonly string[]): (path: string) => boolean {
  const isName = (glob: string) => /^\*\*\/[^*?[\]{}/\\]+$/.test(glob);
  const names = new Set(globs.filter(isName).map((glob) => glob.slice(3)));
  const others = globs.filter((glob) => !isName(glob));
  const matches = others.length === 0 ? () => false : globMatcher(others);
  return (path) => names.has(path.slice(path.lastIndexOf('/') + 1)) || matches(path);
}

/** Returns a function that also matches the content of every folder that `matches` matches. */
function coveredBy(matches: (path: string) => boolean): (path: string) => boolean {
  return (path) => matches(path) || prefixesOf(folderOf(path)).some(matches);
}

/** Returns a path and its parent folders: `a`, `a/b`, `a/b/c` for `a/b/c`. */
export function prefixesOf(path: string): readonly string[] {
  if (path === '') return [];
  return path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
}
