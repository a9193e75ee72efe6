/** Resolves change events from outside of the editor to changed files. Events name files and folders; their new state is read from disk. */

import type { Folders } from '../ignore/folder-filter.ts';
import { folderOf } from '../uri.ts';
import {
  anew,
  type FileSource,
  type LoadOptions,
  listFolder,
  type Reader,
  type ReadFiles,
  readFiles,
  type Skipped,
} from './load.ts';

/** A file or folder to which a change event refers. */
export interface Change {
  readonly uri: string;
  readonly gone: boolean;
}

export interface KnownFiles {
  /** Every file that was loaded or skipped. */
  readonly files: { has(uri: string): boolean; keys(): Iterable<string> };
  readonly folders: Folders;
}

/** Loads the changed files of one batch together. An event may refer to a folder with all of its content. An event does not add files that are outside of all folders or that git ignores. */
export async function readChanged<F>(
  source: FileSource,
  reader: Reader<F>,
  changes: readonly Change[],
  known: KnownFiles,
  options: Pick<LoadOptions, 'maximumFiles' | 'maximumFileSize'>,
): Promise<ReadFiles<F>> {
  const { folders } = known;
  const wanted = new Set<string>();
  const others = new Map<string, Change>();
  for (const change of changes) {
    const uri = folders.fileNameOf(change.uri);
    if (known.files.has(uri) || folders.takes(uri)) wanted.add(uri);
    else others.set(uri, { ...change, uri });
  }
  if (others.size > 0) for (const uri of known.files.keys()) if (isBelowOne(uri, others)) wanted.add(uri);
  const made = await listMade(source, others, folders, options);
  for (const uri of made.files) wanted.add(uri);
  const quiet = { ...options, progress() {}, isCancelled: () => false };
  // Files with an event are always read: two versions of a file may have equal sizes and times.
  const read = await readFiles(source, anew(reader), [...wanted], quiet);
  return { ...read, skipped: [...made.skipped, ...read.skipped] };
}

function isBelowOne(uri: string, folders: ReadonlyMap<string, unknown>): boolean {
  for (let at = folderOf(uri); at !== ''; at = folderOf(at)) if (folders.has(at)) return true;
  return false;
}

/** Returns the files of folders that were created or moved into the workspace. */
async function listMade(
  source: FileSource,
  others: ReadonlyMap<string, Change>,
  folders: Folders,
  options: Pick<LoadOptions, 'maximumFiles' | 'maximumFileSize'>,
) {
  const files: string[] = [];
  const skipped: Skipped[] = [];
  const made = [...others.values()].filter(({ gone }) => !gone).map(({ uri }) => uri);
  const stats = made.length === 0 ? [] : await source.stat(made).catch(() => []);
  for (const [index, uri] of made.entries()) {
    // The path belongs to a file that is not relevant.
    if (stats[index] !== undefined) continue;
    for (const filter of folders.holding(uri)) {
      const path = filter.pathOf(uri) ?? '';
      if (path === '' || !filter.entersTo(path)) continue;
      const listed = await listFolder(source, uri, filter, options);
      for (const each of listed.files) files.push(each);
      for (const each of listed.skipped ?? []) skipped.push(each);
    }
  }
  return { files, skipped };
}
