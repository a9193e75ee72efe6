/**
 * Decides which files of a folder belong to the workspace, from their names, the user's globs and git's ignore files.
 */

import { mayHoldCommands } from '../../manifests/inline/host-language.ts';
import { isKustomizationName } from '../../manifests/kustomize/kustomization.ts';
import { globMatcher } from '../../text/glob.ts';
import { hashOf } from '../../text/hash.ts';
import { isHelperFile, isPackagedChart } from '../charts/chart-files.ts';
import { isConfigName } from '../configs.ts';
import { type GeneratedPaths, readGitAttributes } from '../live/generated-files.ts';
import { fileNameOf, isWithin, relativePath, resolveUri } from '../uri.ts';
import { type IgnoreList, isIgnored, readIgnoreFile } from './gitignore.ts';

/**
 * The user's settings for which files are loaded. Globs are relative to the workspace folder, as in the editor's
 * `files.exclude`.
 */
export interface Choice {
  /** Only files that one of these covers are read; none means all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Whether a file may be a manifest, by its name: a file that `kubectl -f` loads from a folder, or a kustomization. */
export function mayBeManifest(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) || isKustomizationName(name);
}

export const ignoreFileName = '.gitignore';
export const attributesFileName = '.gitattributes';

/** Folders that never hold a manifest of the workspace, and many files. */
const skippedFolders = new Set(['.git', 'node_modules', '.terraform', '.vscode-test']);

/**
 * The filter of one workspace folder. A caller that lists the folder passes the ignore files that it finds, a folder's
 * own before the content of the folder. Paths are relative to the workspace folder.
 */
export class FolderFilter {
  /** Canonical URI. */
  readonly folder: string;
  /** Which files are looked for: manifests, or others in which commands may stand. */
  readonly wanted: 'manifests' | 'commands';
  readonly #included: (path: string) => boolean;
  readonly #excluded: (path: string) => boolean;
  /** Of each folder with an ignore file of its own. */
  readonly #lists = new Map<string, IgnoreList | undefined>();
  /** By the folder of each `.gitattributes`. */
  readonly #attributes = new Map<string, GeneratedPaths>();
  /** Those of folders above this one, the nearest first, with the way from there to here. */
  #attributesAbove: readonly { readonly way: string; readonly paths: GeneratedPaths }[] = [];
  /** The rules of folders above this one. Their paths begin with `#place`. */
  #above: IgnoreList | undefined;
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
   * The folder lies at the path `place` below the root of a repository, whose ignore files above it say this; the
   * outermost first. Where they ignore the whole folder they do not count: it was opened all the same.
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
   * `folder` holds an ignore file, or is the root of a repository of its own, for which the rules above do not count.
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

  /** The same as long as all ignore and attribute files say the same. */
  learned(): string {
    return this.#learned.toSorted().join(' ');
  }

  /** The ignore files that were read only in part, because they have too many patterns; each is named once. */
  drainCutPaths(): readonly string[] {
    const cut = [...this.#cut];
    this.#cut.clear();
    return cut;
  }

  /** `folder` holds a `.gitattributes`. */
  learnAttributes(folder: string, text: string): void {
    this.#note(folder, text);
    this.#attributes.set(folder, readGitAttributes(text));
  }

  /** The `.gitattributes` of folders above, the outermost first; `way` leads from there to the folder: `apps/shop`. */
  learnAttributesAbove(files: readonly { readonly way: string; readonly text: string }[]): void {
    this.#note('', ...files.flatMap(({ way, text }) => [way, text]));
    this.#attributesAbove = files.map(({ way, text }) => ({ way, paths: readGitAttributes(text) })).toReversed();
  }

  /** Is there a `.gitattributes` that speaks for files of it? Most have none, and all files are asked about. */
  get knowsAttributes(): boolean {
    return this.#attributes.size > 0 || this.#attributesAbove.length > 0;
  }

  /** Does git know the file as one that a program wrote? The nearest folder that says something decides. */
  isMarkedGenerated(path: string): boolean | undefined {
    if (this.#attributes.size > 0) {
      for (let at = parentOf(path); ; at = parentOf(at)) {
        const described = this.#attributes.get(at)?.says(at === '' ? path : path.slice(at.length + 1));
        if (described !== undefined) return described;
        if (at === '') break;
      }
    }
    for (const { way, paths } of this.#attributesAbove) {
      const described = paths.says(`${way}/${path}`);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  /** The path of a URI below the folder; '' for the folder itself, undefined outside of it. */
  pathOf(uri: string): string | undefined {
    if (uri === this.folder) return '';
    return isWithin(uri, this.folder) ? relativePath(this.folder, uri) : undefined;
  }

  /** Is a folder worth entering, of which the folders above are? */
  entersFolder(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (skippedFolders.has(name) || this.#excluded(path)) return false;
    return !isIgnored(this.#listOf(parentOf(path)), this.#place + path, true);
  }

  /** Is a file read whose folders are entered? */
  acceptsFile(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isWanted =
      this.wanted === 'commands'
        ? mayHoldCommands(name)
        : mayBeManifest(name) || isHelperFile(path) || isPackagedChart(path);
    return isWanted && this.#lets(path);
  }

  /** The same for a path of which nothing is known yet. */
  acceptsPath(path: string): boolean {
    return this.entersTo(parentOf(path)) && this.acceptsFile(path);
  }

  /** Did the user or git rule it out, whatever its name? */
  leavesOut(path: string): boolean {
    return !this.entersTo(parentOf(path)) || !this.#lets(path);
  }

  #lets(path: string): boolean {
    // What the team says of its files is asked for wherever files are read.
    if (!isConfigName(path.slice(path.lastIndexOf('/') + 1)) && !this.#included(path)) return false;
    if (this.#excluded(path)) return false;
    return !isIgnored(this.#listOf(parentOf(path)), this.#place + path, false);
  }

  /** Are this folder and all above it entered? */
  entersTo(folder: string): boolean {
    return prefixesOf(folder).every((each) => this.entersFolder(each));
  }

  /** The rules that count in a folder: those of the nearest folder that has some. */
  #listOf(folder: string): IgnoreList | undefined {
    if (this.#lists.size === 0) return this.#above;
    for (let at = folder; ; at = parentOf(at)) {
      if (this.#lists.has(at)) return this.#lists.get(at);
      if (at === '') return this.#above;
    }
  }
}

/** The folders of a workspace. Decides which later files belong to one of them. */
export class Folders {
  readonly filters: readonly FolderFilter[];
  /** The folders around these whose configurations may speak for what is in them. */
  readonly around: readonly string[];
  readonly #links: ReadonlyMap<string, string>;

  /** `links`: the names of links, and of what they lead to. */
  constructor(
    filters: readonly FolderFilter[],
    links: ReadonlyMap<string, string> = new Map(),
    around: readonly string[] = [],
  ) {
    this.filters = filters;
    this.around = around;
    this.#links = new Map([...links].filter(([, target]) => filters.some(({ folder }) => isWithin(target, folder))));
  }

  /** The filters of the folders that hold a URI; folders may lie in one another. */
  holding(uri: string): readonly FolderFilter[] {
    return this.filters.filter((filter) => isWithin(uri, filter.folder));
  }

  /** Is the folder of this file one that is read? */
  enterFolderOf(uri: string): boolean {
    return this.holding(uri).some((filter) => filter.entersTo(parentOf(filter.pathOf(uri) ?? '')));
  }

  /** What git knows of a file: whether a program wrote it. Undefined where it says nothing. */
  isMarkedGenerated(uri: string): boolean | undefined {
    for (const filter of this.filters) {
      const path = filter.knowsAttributes ? filter.pathOf(uri) : undefined;
      const described = path === undefined ? undefined : filter.isMarkedGenerated(path);
      if (described !== undefined) return described;
    }
    return undefined;
  }

  takes(uri: string): boolean {
    return this.filters.some((filter) => filter.acceptsPath(filter.pathOf(uri) ?? ''));
  }

  /** Every folder that it lies in leaves it out. What lies in none is nobody's to leave out. */
  leavesOut(uri: string): boolean {
    const holding = this.holding(uri);
    return holding.length > 0 && holding.every((filter) => filter.leavesOut(filter.pathOf(uri) ?? ''));
  }

  /** The name that a file is read by: for a link, that of what it leads to where that lies in a folder. */
  fileNameOf(uri: string): string {
    if (this.#links.size === 0) return uri;
    for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
      const target = this.#links.get(uri.slice(0, end));
      if (target !== undefined) return target + uri.slice(end);
    }
    return uri;
  }
}

export function isIgnoreFile(uri: string): boolean {
  return fileNameOf(uri) === ignoreFileName;
}

export function isAttributesFile(uri: string): boolean {
  return fileNameOf(uri) === attributesFileName;
}

/** Most globs of what is hidden name something in any folder, `.git` for example, and are asked of every path. */
function excluder(globs: readonly string[]): (path: string) => boolean {
  const isName = (glob: string) => /^\*\*\/[^*?[\]{}/\\]+$/.test(glob);
  const names = new Set(globs.filter(isName).map((glob) => glob.slice(3)));
  const others = globs.filter((glob) => !isName(glob));
  const matches = others.length === 0 ? () => false : globMatcher(others);
  return (path) => names.has(path.slice(path.lastIndexOf('/') + 1)) || matches(path);
}

/** What covers a folder covers everything in it. */
function coveredBy(matches: (path: string) => boolean): (path: string) => boolean {
  return (path) => matches(path) || prefixesOf(parentOf(path)).some(matches);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** `a`, `a/b`, `a/b/c` for `a/b/c`. */
function prefixesOf(path: string): readonly string[] {
  if (path === '') return [];
  return path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
}
