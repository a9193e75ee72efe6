/**
 * Loads the files of workspace folders for the first time. Works in slices, so that requests are answered meanwhile.
 */

import type { FileContent } from '../../manifests/kustomize/content-hash.ts';
import { mayHoldObjects } from '../../manifests/parse-manifest.ts';
import { isPackagedChart, isReadFirst } from '../charts/chart-files.ts';
import { isConfigName } from '../configs.ts';
import { type Choice, FolderFilter, Folders, isAttributesFile, isIgnoreFile } from '../ignore/ignore-filter.ts';
import { fileNameOf, folderOf } from '../uri.ts';

/** The result of loading one file. `skipped` is a reason for a person: "it is larger than 5000000 bytes". */
export type ReadText = { readonly text: string; readonly stat?: FileStat } | { readonly skipped: string };

export type { FileContent };

/** The size and time of a file, which show a change without loading it. */
export interface FileStat {
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with a fraction where the disk knows one. */
  readonly modified: number;
  /** It was read so soon after it changed that it may change again and keep its time. */
  readonly fresh?: true;
}

export interface Skipped {
  readonly uri: string;
  readonly reason: string;
}

export interface Listed {
  /** Canonical URIs. */
  readonly files: readonly string[];
  /** The filter let each of them pass. Else the ignore files among them are still to be read. */
  readonly filtered?: boolean;
  /** There are others. */
  readonly more: boolean;
  /** Folders that could not be read, links that lead outside. */
  readonly skipped?: readonly Skipped[];
  /** Links to files and folders that are not outside: the name of the link, and that of what it leads to. */
  readonly links?: ReadonlyMap<string, string>;
  /**
   * The folders around the workspace folder, up to the root of its repository, whose configuration may speak for it.
   */
  readonly around?: readonly string[];
  /** The configuration that is nearest in these. */
  readonly config?: string;
}

/** The files of the outside world, as far as the workspace needs them. */
export interface FileSource {
  /** Every file below a folder that may be a manifest, at most `limit`. `filter` may spare it entering some folders. */
  list(folder: string, limit: number, filter: FolderFilter): Promise<Listed>;
  /** Size and time of files, in the order asked; undefined where there is no file. */
  stat(uris: readonly string[]): Promise<readonly (FileStat | undefined)[]>;
  /** The texts of files, in the order asked, without byte order marks. */
  read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]>;
  /**
   * What files hold that are no manifests, in the order asked: of those that are, links followed, in the folder or
   * below. Undefined where one is not, or is too large. Who has no such method cannot tell.
   */
  contents?(
    folder: string,
    uris: readonly string[],
    maximumBytes: number,
  ): Promise<readonly (FileContent | undefined)[]>;
  /** Lets other work of the process have its turn where that is due; undefined where it is not yet. */
  pause(): Promise<void> | undefined;
}

/**
 * Converts files to the data that the workspace retains. For each file, `known` is called first, then `read` if its
 * text is needed.
 */
export interface Reader<F> {
  /** What is known of a file of this size and time; undefined where only its text can tell. */
  known(uri: string, stat: FileStat): F | undefined;
  /** `stat` is what the disk said of this very text. */
  /** Undefined where reading it failed, which is logged: nothing is known of the file. */
  read(uri: string, text: string, stat: FileStat | undefined): F | undefined;
  /** Asked when all were read: which of them would be read otherwise by now? */
  outdated?(isThere: (uri: string) => boolean): readonly string[];
}

export interface ReadOptions {
  readonly maximumFileSize: number;
  /** Called from time to time, from 0 to 100, never twice with the same number. */
  progress(percentage: number): void;
  isCancelled(): boolean;
}

export interface LoadOptions extends ReadOptions, Choice {
  readonly folders: readonly string[];
  /** Of each folder. */
  readonly maximumFiles: number;
}

export interface ReadFiles<F> {
  /** In the order asked. */
  readonly files: ReadonlyMap<string, F>;
  readonly skipped: readonly Skipped[];
  /** No longer there. */
  readonly gone: readonly string[];
}

export interface Loaded<F> {
  readonly files: ReadonlyMap<string, F>;
  readonly skipped: readonly Skipped[];
  /** Which files were taken, to ask the same of those that come later. */
  readonly folders: Folders;
}

/** Loads every file of the folders that may hold an object. A file that cannot be loaded is skipped with its reason. */
export async function load<F>(source: FileSource, reader: Reader<F>, options: LoadOptions): Promise<Loaded<F>> {
  const listing = await listFolders(source, options);
  // What these say decides how the files around them are read.
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
  const gone = rounds.flatMap((each) => each.gone).map((uri) => ({ uri, reason: 'it is gone' }));
  return {
    files: known,
    skipped: [...listing.skipped, ...rounds.flatMap((each) => each.skipped), ...gone],
    folders: listing.folders,
  };
}

/** What is read a third time may tell of a fourth; nothing that people write goes on so. */
const mostRounds = 5;

/** Returns a reader that loads every file, whatever its size and time. */
export function anew<F>(reader: Reader<F>): Reader<F> {
  return { known: () => undefined, read: (uri, text, stat) => reader.read(uri, text, stat) };
}

/** Lists the files that `load` would load, and those that it would skip. */
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
  // A file that another folder holds by its own name is not read a second time by the name of a link.
  const once =
    links.size === 0
      ? uris
      : [...uris].filter((uri) => folders.fileNameOf(uri) === uri || !uris.has(folders.fileNameOf(uri)));
  return { uris: [...once], skipped, folders };
}

/**
 * Lists a folder: that of the filter, or one below it. Files that the source did not filter are filtered here, after
 * the ignore files among them were parsed.
 */
export async function listFolder(
  source: FileSource,
  folder: string,
  filter: FolderFilter,
  options: Pick<LoadOptions, 'maximumFiles' | 'maximumFileSize'>,
): Promise<Listed> {
  const { maximumFiles, maximumFileSize } = options;
  const listed = await source.list(folder, maximumFiles, filter).catch(() => undefined);
  if (listed === undefined)
    return { files: [], more: false, skipped: [{ uri: folder, reason: 'it could not be listed' }] };
  const more = listed.more ? [{ uri: folder, reason: `it holds more than ${maximumFiles} files` }] : [];
  const skipped = [...(listed.skipped ?? []), ...more];
  if (listed.filtered === true) return { ...listed, skipped: [...skipped, ...cutIn(filter)] };
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
  const files = listed.files.filter((uri) => filter.acceptsPath(filter.pathOf(uri) ?? ''));
  return { ...listed, files, skipped: [...skipped, ...cutIn(filter)] };
}

function cutIn(filter: FolderFilter): readonly Skipped[] {
  return filter
    .drainCutPaths()
    .map((uri) => ({ uri, reason: 'it has too many patterns, and the last of them are not applied' }));
}

/** Loads files, the next ones while the current ones are parsed. */
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
      if ('text' in read) keep(uri, reader.read(uri, worthReading(uri, read.text), read.stat));
      else skipped.push({ uri, reason: read.skipped });
      const others = turn(++done);
      if (others !== undefined && (await others)) return { files: inOrder(uris, files), skipped, gone };
    }
  }
  return { files: inOrder(uris, files), skipped, gone };
}

/** The reason for skipping a file that our own code fails to parse. */
export const failedToRead = 'reading it failed';

export function tooLarge(maximumBytes: number): string {
  return `it is larger than ${maximumBytes} bytes`;
}

interface Unread {
  readonly uri: string;
  readonly size: number;
}

/** Lets others have their turn where that is due, and says then how far we are; true where the work is cancelled. */
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

/** What is read ahead is bounded by its number and by its size, since it waits in memory. */
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

/** An editor that cannot answer is one that has no files. */
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

/** Most JSON is no manifest. Its file is known, and costs nothing. */
function worthReading(uri: string, text: string): string {
  return fileNameOf(uri).endsWith('.json') && !mayHoldObjects(text) ? '' : text;
}

function inOrder<F>(uris: readonly string[], files: ReadonlyMap<string, F>): ReadonlyMap<string, F> {
  const ordered = new Map<string, F>();
  for (const uri of uris) {
    const file = files.get(uri);
    if (file !== undefined) ordered.set(uri, file);
  }
  return ordered;
}
