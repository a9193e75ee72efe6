/** Loads the files of workspace folders for the first time. Works in slices, so that requests are answered in the meantime. */

import type { FileContent } from '../../manifests/kustomize/content-hash.ts';
import { mayBeForKustomize } from '../../manifests/kustomize/kustomize-documents.ts';
import { mayHoldObjects } from '../../manifests/parse-manifest.ts';
import { localize } from '../../text/localize.ts';
import { isPackagedChart, isReadFirst } from '../charts/chart-files.ts';
import { isConfigName } from '../configs.ts';
import {
  type Choice,
  completeIndex,
  FolderFilter,
  Folders,
  isAttributesFile,
  isIgnoreFile,
} from '../ignore/folder-filter.ts';
import { fileNameOf, folderOf, schemeOf } from '../uri.ts';

/** The result of loading one file. `skipped` is a reason for users: "it is larger than 5000000 bytes". */
export type ReadText = { readonly text: string; readonly stat?: FileStat } | { readonly skipped: string };

export type { FileContent };

/** The size, times and number of a file, by which a change is detected without loading the file. */
export interface FileStat {
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with a fraction if the disk provides one. */
  readonly modified: number;
  /**
   * The time of the last change of the file or its metadata, and the number of the file in its file system. Programs can
   * restore the modification time after a change, as `cp -p`, `rsync` and `tar` do, but not the other time. Absent if the
   * platform or the source of the files does not provide them.
   */
  readonly identity?: string;
  /**
   * Whether the file was read so soon after its last change that a further change may have the same modification time.
   */
  readonly fresh?: true;
}

export interface Skipped {
  readonly uri: string;
  readonly reason: string;
}

export interface Listed {
  /** Canonical URIs. */
  readonly files: readonly string[];
  /** Whether all files passed the filter. If not, the ignore files among them must still be read. */
  readonly filtered?: boolean;
  /** Whether there are more files than the limit. */
  readonly more: boolean;
  /** Folders that could not be read, and links with targets outside of the folder. */
  readonly skipped?: readonly Skipped[];
  /** The targets of links to files and folders inside of the folder, by the names of the links. */
  readonly links?: ReadonlyMap<string, string>;
  /**
   * The parent folders of the workspace folder, up to the root of its repository, whose configuration may apply to it.
   */
  readonly around?: readonly string[];
  /** The nearest configuration in the parent folders. */
  readonly config?: string;
}

/** Returns a text that is different for different versions of a file, unless one of them is `fresh`. */
export function versionOf({ size, modified, identity = '' }: FileStat): string {
  return `${size} ${modified} ${identity}`;
}

/** The file system, to the extent that the workspace needs it. */
export interface FileSource {
  /** Lists the files below a folder that may be manifests, at most `limit`. `filter` excludes some folders. */
  list(folder: string, limit: number, filter: FolderFilter): Promise<Listed>;
  /** Returns the sizes and modification times of files, in the order of `uris`; undefined for a missing file. */
  stat(uris: readonly string[]): Promise<readonly (FileStat | undefined)[]>;
  /** Returns the texts of files, in the order of `uris`, without byte order marks. */
  read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]>;
  /**
   * Returns the content of files that are not manifests, in the order of `uris`, if they are in the folder or below it
   * even after links are resolved. The content of a missing or too large file is undefined. Optional, because not all
   * sources support it.
   */
  contents?(
    folder: string,
    uris: readonly string[],
    maximumBytes: number,
  ): Promise<readonly (FileContent | undefined)[]>;
  /** Yields to other work of the process if it is time to do so; otherwise returns undefined. */
  pause(): Promise<void> | undefined;
}

/**
 * Converts files to the data that the workspace retains. For each file, `known` is called first, then `read` if its
 * text is needed.
 */
export interface Reader<F> {
  /** Returns the data of an unchanged file with this size and modification time; undefined if its text must be read. */
  known(uri: string, stat: FileStat): F | undefined;
  /**
   * Parses a text. `stat` is the size and modification time of this text. Returns undefined if parsing failed; the
   * failure is logged, and the file is then unknown.
   */
  read(uri: string, text: string, stat: FileStat | undefined): F | undefined;
  /** Whether the text of a file is needed although the file contains no objects. */
  isData?(uri: string): boolean;
  /** Called after all files were read. Returns the files that would now be parsed differently. */
  outdated?(isThere: (uri: string) => boolean): readonly string[];
}

export interface ReadOptions {
  readonly maximumFileSize: number;
  /** Called from time to time with a percentage, never twice with the same number. */
  progress(percentage: number): void;
  isCancelled(): boolean;
}

export interface LoadOptions extends ReadOptions, Choice {
  readonly folders: readonly string[];
  /** Per folder. */
  readonly maximumFiles: number;
}

export interface ReadFiles<F> {
  /** The data of each file, in the order of the request. */
  readonly files: ReadonlyMap<string, F>;
  readonly skipped: readonly Skipped[];
  /** Files that no longer exist. */
  readonly gone: readonly string[];
}

export interface Loaded<F> {
  readonly files: ReadonlyMap<string, F>;
  readonly skipped: readonly Skipped[];
  /** The filters for the files of the workspace, which also apply to files that are created later. */
  readonly folders: Folders;
}

/** Loads every file of the folders that may contain an object. A file that cannot be loaded is skipped, and the reason is returned. */
export async function load<F>(source: FileSource, reader: Reader<F>, options: LoadOptions): Promise<Loaded<F>> {
  const listing = await listFolders(source, options);
  // Configurations, and some files of charts, affect how the files around them are parsed.
  const isFirst = (uri: string) => isConfigName(fileNameOf(uri)) || isReadFirst(uri);
  const [firstOnes, others]: [string[], string[]] = [[], []];
  for (const uri of listing.uris) (isFirst(uri) ? firstOnes : others).push(uri);
  const first = await readFiles(source, reader, firstOnes, { ...options, progress() {} });
  const read = await readFiles(source, reader, others, options);
  const known = new Map([...first.files, ...read.files]);
  const rounds = [first, read];
  const outdated = () => (options.isCancelled() ? [] : (reader.outdated?.((uri) => known.has(uri)) ?? []));
  for (let stale = outdated(); stale.length > 0 && rounds.length < mostRounds; stale = outdated()) {
    const again = await readFiles(source, anew(reader), stale, { ...options, progress() {} });
    for (const uri of stale) if (!again.files.has(uri)) known.delete(uri);
    for (const [uri, file] of again.files) known.set(uri, file);
    rounds.push(again);
  }
  const gone = rounds.flatMap((each) => each.gone).map((uri) => ({ uri, reason: localize`it no longer exists` }));
  return {
    files: known,
    skipped: [...listing.skipped, ...rounds.flatMap((each) => each.skipped), ...gone],
    folders: listing.folders,
  };
}

/** The maximum number of rounds: parsing a file again may affect further files, but real workspaces need fewer rounds. */
const mostRounds = 5;

/** Returns a reader that loads every file, regardless of its size and modification time. */
export function anew<F>(reader: Reader<F>): Reader<F> {
  return {
    known: () => undefined,
    read: (uri, text, stat) => reader.read(uri, text, stat),
    isData: (uri) => reader.isData?.(uri) === true,
  };
}

/** Lists the files that `load` would load, and the files that it would skip. */
export async function listFolders(source: FileSource, options: Omit<LoadOptions, 'progress'>) {
  const uris = new Set<string>();
  const skipped: Skipped[] = [];
  const links = new Map<string, string>();
  const around = new Set<string>();
  const filters: FolderFilter[] = [];
  for (const folder of new Set(options.folders)) {
    if (options.isCancelled()) break;
    const filter = new FolderFilter(folder, options);
    filters.push(filter);
    const listed = await listFolder(source, folder, filter, options);
    if (listed.config !== undefined) uris.add(listed.config);
    for (const uri of listed.files) uris.add(uri);
    for (const uri of listed.around ?? []) around.add(uri);
    for (const [from, to] of listed.links ?? []) links.set(from, to);
    for (const each of listed.skipped ?? []) skipped.push(each);
  }
  const folders = new Folders(filters, links, [...around]);
  // A file that another folder contains under its own name is not loaded again under the name of a link.
  const once =
    links.size === 0
      ? uris
      : [...uris].filter((uri) => folders.fileNameOf(uri) === uri || !uris.has(folders.fileNameOf(uri)));
  return { uris: [...once], skipped, folders };
}

/** Lists the folder of the filter, or a folder below it. Files that the source did not filter are filtered here, after the ignore files among them were parsed. */
export async function listFolder(
  source: FileSource,
  folder: string,
  filter: FolderFilter,
  options: Pick<LoadOptions, 'maximumFiles' | 'maximumFileSize'>,
): Promise<Listed> {
  const { maximumFiles, maximumFileSize } = options;
  const listed = await source.list(folder, maximumFiles, filter).catch(() => undefined);
  if (listed === undefined)
    return { files: [], more: false, skipped: [{ uri: folder, reason: localize`it could not be listed` }] };
  const more = listed.more ? [{ uri: folder, reason: localize`it contains more than ${maximumFiles} files` }] : [];
  const skipped = [...(listed.skipped ?? []), ...more];
  if (listed.filtered === true) return { ...listed, skipped: [...skipped, ...cutIn(filter)] };
  // A folder of a remote repository contains only files that git tracks.
  if (schemeOf(folder) === 'vscode-vfs') filter.learnIndex('', completeIndex);
  const ignoreFiles = listed.files
    .filter((uri) => isIgnoreFile(uri) || isAttributesFile(uri))
    .toSorted((a, b) => a.length - b.length);
  const texts = ignoreFiles.length === 0 ? [] : await readOrSkip(source, ignoreFiles, maximumFileSize);
  for (const [index, uri] of ignoreFiles.entries()) {
    const read = texts[index];
    const path = filter.pathOf(folderOf(uri)) ?? '';
    if (read === undefined || !('text' in read)) continue;
    if (isIgnoreFile(uri)) filter.learn(path, [read.text]);
    else filter.learnAttributes(path, read.text);
  }
  const entered = new Map<string, boolean>();
  const files = listed.files.filter((uri) => filter.acceptsPath(filter.pathOf(uri) ?? '', entered));
  return { ...listed, files, skipped: [...skipped, ...cutIn(filter)] };
}

function cutIn(filter: FolderFilter): readonly Skipped[] {
  return filter
    .drainCutPaths()
    .map((uri) => ({ uri, reason: localize`it has too many patterns, and the last of them are not applied` }));
}

/** Loads files. The next files are read while the current ones are parsed. */
export async function readFiles<F>(
  source: FileSource,
  reader: Reader<F>,
  uris: readonly string[],
  options: ReadOptions,
): Promise<ReadFiles<F>> {
  const files = new Map<string, F>();
  const skipped: Skipped[] = [];
  const gone: string[] = [];
  const unread: Unread[] = [];
  const keep = (uri: string, file: F | undefined) => {
    if (file === undefined) skipped.push({ uri, reason: failedToRead });
    else files.set(uri, file);
  };
  const turn = yieldInTurns(source, options, uris.length);
  for await (const group of statFiles(source, uris)) {
    for (const { uri, stat } of group) {
      const known = stat && reader.known(uri, stat);
      if (stat === undefined) gone.push(uri);
      else if (known !== undefined) files.set(uri, known);
      else if (isPackagedChart(uri)) keep(uri, reader.read(uri, '', stat));
      else if (stat.size > options.maximumFileSize) skipped.push({ uri, reason: tooLarge(options.maximumFileSize) });
      else unread.push({ uri, size: stat.size });
      const others = turn(files.size);
      if (others !== undefined && (await others)) return { files, skipped, gone };
    }
  }
  let done = uris.length - unread.length;
  for await (const group of readAhead(source, unread, options)) {
    for (const { uri, read } of group) {
      if ('text' in read)
        keep(uri, reader.read(uri, reader.isData?.(uri) ? read.text : worthReading(uri, read.text), read.stat));
      else skipped.push({ uri, reason: read.skipped });
      const others = turn(++done);
      if (others !== undefined && (await others)) return { files: inOrder(uris, files), skipped, gone };
    }
  }
  return { files: inOrder(uris, files), skipped, gone };
}

/** The reason for skipping a file that the server failed to parse because of an internal error. */
export const failedToRead = 'reading it failed';

/** Returns the reason for skipping a file that is larger than `maximumBytes`, for users. */
export function tooLarge(maximumBytes: number): string {
  return localize`it is larger than ${maximumBytes} bytes`;
}

interface Unread {
  readonly uri: string;
  readonly size: number;
}

/** Returns a function that yields to other work if it is time to do so, and then reports progress; it resolves to true if the work is cancelled. */
function yieldInTurns(source: FileSource, options: ReadOptions, total: number) {
  let told = -1;
  return (done: number): Promise<boolean> | undefined => {
    const pause = source.pause();
    if (pause === undefined) return undefined;
    const percentage = Math.floor((100 * done) / total);
    if (percentage !== told) options.progress(percentage);
    told = percentage;
    return pause.then(() => options.isCancelled());
  };
}

const statsAtOnce = 512;
const readsAtOnce = { files: 64, bytes: 4_000_000 };

async function* statFiles(source: FileSource, uris: readonly string[]) {
  for (let at = 0; at < uris.length; at += statsAtOnce) {
    const slice = uris.slice(at, at + statsAtOnce);
    const stats = await source.stat(slice).catch(() => slice.map(() => ({ size: 0, modified: 0 })));
    yield slice.map((uri, index) => ({ uri, stat: stats[index] }));
  }
}

/** Reads ahead, limited by the number of files and by their size, since their text is in memory. */
async function* readAhead(source: FileSource, unread: readonly Unread[], options: ReadOptions) {
  const groups = groupsOf(unread);
  const begin = (uris: readonly string[]) => {
    return { uris, texts: readOrSkip(source, uris, options.maximumFileSize) };
  };
  let ahead = groups[0] && begin(groups[0]);
  for (let next = 1; ahead !== undefined; next++) {
    const { uris, texts } = ahead;
    const read = await texts;
    const following = groups[next];
    ahead = following && begin(following);
    yield uris.map((uri, index) => ({ uri, read: read[index] ?? unreadable }));
  }
}

const unreadable: ReadText = { skipped: 'it could not be read' };

/** Reads files. If the source fails, for example because an editor does not answer, the files are treated as unreadable. */
function readOrSkip(source: FileSource, uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]> {
  return source.read(uris, maximumBytes).catch(() => uris.map(() => unreadable));
}

function groupsOf(unread: readonly Unread[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let bytes = 0;
  for (const { uri, size } of unread) {
    const last = groups.at(-1);
    if (last === undefined || last.length === readsAtOnce.files || bytes + size > readsAtOnce.bytes) {
      groups.push([uri]);
      bytes = size;
    } else {
      last.push(uri);
      bytes += size;
    }
  }
  return groups;
}

/** Returns the text to parse, which is empty for a JSON file without objects and patches. Most JSON files are not manifests. */
function worthReading(uri: string, text: string): string {
  return fileNameOf(uri).endsWith('.json') && !mayHoldObjects(text) && !mayBeForKustomize(text) ? '' : text;
}

function inOrder<F>(uris: readonly string[], files: ReadonlyMap<string, F>): ReadonlyMap<string, F> {
  const ordered = new Map<string, F>();
  for (const uri of uris) {
    const file = files.get(uri);
    if (file !== undefined) ordered.set(uri, file);
  }
  return ordered;
}
