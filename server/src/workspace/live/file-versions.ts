/** The versions of files when they were read, which reveal changes that no event reported. */

import type { Folders } from '../ignore/folder-filter.ts';
import type { Change } from './file-changes.ts';
import { type FileSource, type FileStat, type LoadOptions, listFolders, versionOf } from './load.ts';

type Limits = Omit<LoadOptions, 'folders' | 'progress' | 'isCancelled'>;

export class FileVersions {
  /** The value is undefined for a file that did not exist. */
  readonly #versions = new Map<string, FileStat | undefined>();
  #folders: readonly string[] = [];
  /** The ignore rules and links when the folders were loaded. */
  #rules = '';

  loaded(folders: Folders): void {
    this.#folders = folders.filters.map(({ folder }) => folder);
    this.#rules = folders.rules();
  }

  set(uri: string, stat: FileStat | undefined): void {
    if (stat !== undefined) this.#versions.set(uri, stat);
  }

  /** Lists the folders, and returns the changes of their files and of known files; undefined if the ignore rules or links changed. */
  async missed(source: FileSource, limits: Limits, known: readonly string[]): Promise<readonly Change[] | undefined> {
    const listing = await listFolders(source, { ...limits, folders: this.#folders, isCancelled: () => false });
    if (listing.folders.rules() !== this.#rules) return undefined;
    return await this.changes(source, [...new Set([...listing.uris, ...known])]);
  }

  /** Returns the files that changed since they were read or compared. The first comparison of a file that was not read returns it, too. */
  async changes(source: Pick<FileSource, 'stat'>, uris: readonly string[]): Promise<readonly Change[]> {
    const stats = uris.length === 0 ? [] : await source.stat(uris);
    return uris.flatMap((uri, index) => {
      const [before, now] = [this.#versions.get(uri), stats[index]];
      const isSame = this.#versions.has(uri) && areSame(before, now);
      this.#versions.set(uri, now);
      return isSame ? [] : [{ uri, gone: now === undefined }];
    });
  }
}

function areSame(before: FileStat | undefined, now: FileStat | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return !before.fresh && !now.fresh && versionOf(before) === versionOf(now);
}
