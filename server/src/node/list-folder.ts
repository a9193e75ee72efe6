/** Lists the files in a folder on disk that may be manifests. Several folders are listed in parallel, and links are followed only within the allowed folders. */

import { type Dirent, readdirSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { configName } from '../settings/config.ts';
import { percentEncode } from '../text/percent-encoding.ts';
import {
  attributesFileName,
  type FolderFilter,
  ignoreFileName,
  mayBeManifest,
} from '../workspace/ignore/folder-filter.ts';
import type { Listed, ReadText, Skipped } from '../workspace/live/load.ts';
import { canonicalUri, folderOf } from '../workspace/uri.ts';
import { syncOrAsync } from './adaptive-io.ts';
import { Bounds, below, isInside, leadsOutside, Resolver } from './bounds.ts';
import { identityAt } from './git/remotes.ts';
import { gitIndexIn } from './git/tracked-files.ts';
import { isLinkError, notRegular, syncRead, syncReadWithin, textOf } from './read-file.ts';
import { codeOf, refusalOf } from './system-error-text.ts';

/** A folder to list: its path on disk, its path relative to the root folder of the filter, and its URI. */
interface Folder {
  readonly disk: string;
  readonly path: string;
  readonly uri: string;
  /** The real path of the folder; set if the folder was reached through a link. */
  readonly linked?: string;
}

interface Link extends Folder {
  readonly name: string;
}

type ReadFolder = (path: string) => Dirent[] | Promise<Dirent[]>;

const syncReadFolder = (path: string) => readdirSync(path, { withFileTypes: true });
const asyncReadFolder = (path: string) => readdir(path, { withFileTypes: true });

/** Lists the files in a folder; `uri` is the root folder of the filter, or a folder below it. The root folder is added to `bounds`, so that the listed files can be read, and so are the parent folders that may contain its configuration. */
export async function listFolder(
  disk: string,
  uri: string,
  limit: number,
  filter: FolderFilter,
  bounds: Bounds,
  readOne: ReadFolder = syncOrAsync(syncReadFolder, asyncReadFolder),
  onFolder: (path: string) => void = () => {},
): Promise<Listed> {
  const read: ReadFolder = (path) => {
    onFolder(path);
    return readOne(path);
  };
  const path = filter.pathOf(uri) ?? '';
  const top = path === '' ? disk : fileURLToPath(filter.folder);
  const [found, foundTop] = [await realFolder(disk), await realFolder(top)];
  if ('refusal' in found) return nothingIn(uri, path, found.refusal);
  if ('refusal' in foundTop) return nothingIn(uri, path, foundTop.refusal);
  const { real: root } = foundTop;
  const repository = await repositoryOf(root);
  const bound = repository ?? root;
  bounds.allow(top, bound);
  if (!isInside(found.real, bound))
    return { files: [], filtered: true, more: false, skipped: [{ uri, reason: leadsOutside }] };
  if (path === '' && repository !== undefined && repository !== root) learnAbove(filter, repository, root, uri);
  const walk = new Walk(filter, limit, { real: root, bound, uri: filter.folder }, read);
  const listed = await walk.from({ disk, path, uri });
  if (path !== '' || repository === undefined) return listed;
  const around = await configAround(repository, root, uri);
  for (const each of around.around ?? []) bounds.allow(fileURLToPath(each), repository);
  return { ...listed, ...around };
}

/** Returns the parent folders up to the root of the repository, and the nearest configuration file in them. A configuration in the folder itself is not included, because it is listed like all other files. `uri` determines the URIs of the parents; there are none if it refers to a link. */
async function configAround(
  repository: string,
  folder: string,
  uri: string,
): Promise<Pick<Listed, 'around' | 'config'>> {
  const around: string[] = [];
  let config: string | undefined;
  let name = uri;
  for (let at = folder; at !== repository && name.endsWith(`/${percentEncode(basename(at))}`); ) {
    at = dirname(at);
    name = folderOf(name);
    around.push(name);
    const found = config === undefined ? await stat(join(at, configName)).catch(() => undefined) : undefined;
    if (found?.isFile()) config = `${name}/${configName}`;
  }
  return config === undefined ? { around } : { around, config };
}

async function realFolder(disk: string): Promise<{ readonly real: string } | { readonly refusal: string }> {
  try {
    return { real: await realpath(disk) };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** Returns an empty listing. The reason is reported only for the root folder, because each new file is first listed as if it were a folder. */
function nothingIn(uri: string, path: string, reason: string): Listed {
  const skipped = path === '' ? [{ uri, reason }] : [];
  return { files: [], filtered: true, more: false, skipped };
}

/** Returns the folder of the git repository that contains a folder; undefined outside of a repository. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await stat(join(at, '.git')).catch(() => undefined)) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

const largestIgnoreFile = 500_000;

/** Reads a `.gitignore` or `.gitattributes` file. If the file is a link, it is not followed, as in git. */
function readIgnoreFile(path: string): ReadText {
  try {
    return textOf(syncRead(path, largestIgnoreFile));
  } catch (error) {
    return { skipped: isLinkError(error) ? linkedGitFile : refusalOf(error) };
  }
}

const linkedGitFile = 'it is a link, which git does not follow';

function textsIn(read: ReadText): readonly string[] {
  return 'text' in read ? [read.text] : [];
}

/** Returns the patterns in `.git/info/exclude`. Unlike git, this function does not follow links that point outside of the repository. */
function readExclude(repository: string): readonly string[] {
  const bounds = new Bounds();
  bounds.allow(repository, repository);
  const path = join(repository, '.git', 'info', 'exclude');
  return textsIn(textOf(syncReadWithin(new Resolver(bounds), path, largestIgnoreFile)));
}

/** Adds the ignore and attribute files of the parent folders up to the root of the repository, and the repository itself, to the filter of a folder. */
function learnAbove(filter: FolderFilter, repository: string, folder: string, uri: string): void {
  const place = relative(repository, folder).split(sep);
  const way = `/${place.map(percentEncode).join('/')}`;
  // If the folder was opened through a link, its URI ends differently, and the root of the repository is unknown.
  if (uri.endsWith(way)) filter.learnRepository({ root: uri.slice(0, -way.length), ...identityAt(repository) });
  const index = gitIndexIn(repository);
  const above = (path: string) => [...place, path].join('/');
  filter.learnIndex('', {
    isTracked: (path) => index.isTracked(above(path)),
    isLeftOut: (path) => index.isLeftOut(above(path)),
    hasChanged: () => index.hasChanged?.() === true,
  });
  const files = readExclude(repository).map((text) => ({ folder: '', text }));
  const attributes: { way: string; text: string }[] = [];
  for (const depth of place.keys()) {
    const above = place.slice(0, depth);
    const texts = textsIn(readIgnoreFile(join(repository, ...above, ignoreFileName)));
    files.push(...texts.map((text) => ({ folder: above.join('/'), text })));
    const described = textsIn(readIgnoreFile(join(repository, ...above, attributesFileName)));
    attributes.push(...described.map((text) => ({ way: place.slice(depth).join('/'), text })));
  }
  filter.learnAbove(place.join('/'), files);
  filter.learnAttributesAbove(attributes);
}

/** The replacement for bytes of a file name that are not valid UTF-8. No file on disk has the resulting name. */
const undecodable = '\uFFFD';

/** The number of folders that are listed in parallel, which is sufficient to use all threads of the pool. */
const foldersAtOnce = 32;

class Walk {
  readonly #filter: FolderFilter;
  readonly #limit: number;
  /** The real path of the root folder, the folder that its links must not leave, and its URI. */
  readonly #root: { readonly real: string; readonly bound: string; readonly uri: string };
  readonly #files: string[] = [];
  readonly #skipped: Skipped[] = [];
  readonly #links = new Map<string, string>();
  readonly #waiting: Folder[] = [];
  readonly #waitingLinks: Link[] = [];
  /** The real paths of link targets that were already followed, so that cycles end and no folder is listed twice. */
  readonly #visited = new Set<string>();
  readonly #read: ReadFolder;
  #folders = 0;

  constructor(
    filter: FolderFilter,
    limit: number,
    root: { real: string; bound: string; uri: string },
    read: ReadFolder,
  ) {
    this.#filter = filter;
    this.#limit = limit;
    this.#root = root;
    this.#read = read;
  }

  async from(folder: Folder): Promise<Listed> {
    this.#waiting.push(folder);
    while (!this.#isFull() && (this.#waiting.length > 0 || this.#waitingLinks.length > 0)) {
      const next = this.#waiting.splice(0, foldersAtOnce);
      const entries = await Promise.all(next.map((each) => this.#entriesOf(each)));
      for (const [index, each] of next.entries()) this.#sort(each, entries[index] ?? []);
      // Links are followed last, so that a target that is also below the listed folder is listed with its own path.
      const link = this.#waiting.length === 0 ? this.#waitingLinks.shift() : undefined;
      if (link !== undefined) await this.#follow(link);
    }
    const more = this.#isFull();
    return {
      files: this.#files.slice(0, this.#limit),
      filtered: true,
      more,
      skipped: this.#skipped,
      links: this.#links,
    };
  }

  /**
   * Whether the limit of the listing is reached. Folders are counted, too, so that the listing of a tree of empty
   * folders ends.
   */
  #isFull(): boolean {
    return this.#files.length > this.#limit || this.#folders > 10 * this.#limit + 1000;
  }

  /** Returns the entries of a folder, sorted by name, after adding the ignore rules of the folder to the filter. */
  async #entriesOf(folder: Folder): Promise<readonly Dirent[]> {
    this.#folders++;
    try {
      const entries = await this.#read(folder.disk);
      const special = new Map<string, Dirent>();
      for (const entry of entries) if (entry.name.startsWith('.git')) special.set(entry.name, entry);
      const repository = special.has('.git');
      if (repository || special.has(ignoreFileName)) {
        const exclude = repository ? readExclude(folder.disk) : [];
        const ignore = this.#gitFile(folder, special.get(ignoreFileName));
        this.#filter.learn(folder.path, [...exclude, ...ignore], repository);
        if (repository) this.#filter.learnIndex(folder.path, gitIndexIn(folder.disk));
        if (repository) this.#filter.learnRepository({ root: folder.uri, ...identityAt(folder.disk) });
      }
      const [attributes] = this.#gitFile(folder, special.get(attributesFileName));
      if (attributes !== undefined) this.#filter.learnAttributes(folder.path, attributes);
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      // The folder may have been removed in the meantime, or it may be a file that is listed as if it were a folder.
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#skip(folder.uri, refusalOf(error));
      return [];
    }
  }

  /**
   * Returns the text of a `.gitignore` or `.gitattributes` file in a folder; empty if it does not exist or cannot be
   * read.
   */
  #gitFile(folder: Folder, entry: Dirent | undefined): readonly string[] {
    if (entry === undefined) return [];
    const path = below(folder.disk, entry.name);
    const read = entry.isSymbolicLink() ? { skipped: linkedGitFile } : readIgnoreFile(path);
    if ('skipped' in read) this.#skip(`${folder.uri}/${entry.name}`, read.skipped);
    return textsIn(read);
  }

  #sort(folder: Folder, entries: readonly Dirent[]): void {
    const { linked } = folder;
    if (linked !== undefined && (isInside(linked, this.#root.real) || !this.#isFirstVisit(linked))) return;
    for (const entry of entries) {
      const { name } = entry;
      const path = folder.path === '' ? name : `${folder.path}/${name}`;
      if (name.includes(undecodable)) {
        if (this.#filter.acceptsFile(path) || this.#filter.entersFolder(path))
          this.#skip(this.#inside(folder, name, path).uri, 'its name is not UTF-8');
      } else if (entry.isDirectory()) {
        if (this.#filter.entersFolder(path)) this.#waiting.push(this.#inside(folder, name, path));
      } else if (entry.isFile()) {
        if (this.#filter.acceptsFile(path)) this.#take(this.#inside(folder, name, path));
      } else if (entry.isSymbolicLink() && (this.#filter.acceptsFile(path) || this.#filter.entersFolder(path))) {
        this.#waitingLinks.push({ ...this.#inside(folder, name, path), name });
      } else if (!entry.isSymbolicLink() && mayBeManifest(name) && this.#filter.acceptsFile(path)) {
        this.#skip(this.#inside(folder, name, path).uri, notRegular(entry) ?? '');
      }
    }
  }

  #inside(folder: Folder, name: string, path: string): Folder {
    const inside = { disk: below(folder.disk, name), path, uri: `${folder.uri}/${encoded(name)}` };
    return folder.linked === undefined ? inside : { ...inside, linked: below(folder.linked, name) };
  }

  #take(file: Folder): void {
    if (file.linked === undefined || this.#isFirstVisit(file.linked)) this.#files.push(file.uri);
  }

  #isFirstVisit(real: string): boolean {
    const first = !this.#visited.has(real);
    this.#visited.add(real);
    return first;
  }

  async #follow(link: Link): Promise<void> {
    const real = await realpath(link.disk).catch(() => undefined);
    const named = mayBeManifest(link.name);
    const isInBounds = real !== undefined && isInside(real, this.#root.bound);
    const found = isInBounds ? await stat(real).catch(() => undefined) : undefined;
    if (real === undefined || found === undefined) {
      // The answer does not depend on whether a target outside exists, or is a folder.
      const mayBeWanted = named ? this.#filter.acceptsFile(link.path) : this.#filter.entersFolder(link.path);
      if (mayBeWanted && (named || !link.name.includes('.'))) this.#skip(link.uri, leadsOutside);
      return;
    }
    const wanted = found.isDirectory() ? this.#filter.entersFolder(link.path) : this.#filter.acceptsFile(link.path);
    if (!wanted) return;
    const refusal = found.isDirectory() ? undefined : notRegular(found);
    if (refusal !== undefined) return named ? this.#skip(link.uri, refusal) : undefined;
    if (isInside(real, this.#root.real) && (found.isDirectory() || mayBeManifest(basename(real)))) {
      this.#links.set(link.uri, this.#uriBelowRoot(real));
      return;
    }
    this.#links.set(link.uri, canonicalUri(pathToFileURL(real).href));
    const target = { ...link, linked: real };
    if (found.isDirectory()) this.#waiting.push(target);
    else if (!this.#visited.has(dirname(real))) this.#take(target);
  }

  #uriBelowRoot(real: string): string {
    const names = relative(this.#root.real, real)
      .split(sep)
      .filter((name) => name !== '');
    return [this.#root.uri, ...names.map(percentEncode)].join('/');
  }

  #skip(uri: string, reason: string): void {
    this.#skipped.push({ uri, reason });
  }
}

/** Percent-encodes a file name for a URI. Most names need no encoding. */
function encoded(name: string): string {
  return /^[\w.-]*$/.test(name) ? name : percentEncode(name);
}
