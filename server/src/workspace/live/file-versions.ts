/** The sizes and modification times of files when they were read, which reveal changes that no event reported. */

import type { Change } from './file-changes.ts';
import type { FileSource, FileStat } from './load.ts';

export class FileVersions {
  /** The value is undefined for a file that did not exist. */
  readonly #versions = new Map<string, FileStat | undefined>();

  set(uri: string, stat: FileStat | undefined): void {
    this.#versions.set(uri, stat);
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
  return before.size === now.size && before.modified === now.modified && !before.fresh && !now.fresh;
}
