/** Restores the store of files from a cache, and saves it there. Without a usable cache, every file is parsed. */

import type { Log } from '../../log.ts';
import type { Cache, FileStore } from './file-store.ts';

/** Restores the store that an earlier run of the same `build` saved; a damaged cache is ignored. */
export async function restoreStore(store: FileStore, cache: Cache | undefined, build: string, log: Log): Promise<void> {
  try {
    const stored = await cache?.read();
    if (stored !== undefined) store.restore(build, stored);
  } catch (error) {
    log.warn(`The cache could not be read: ${error}`);
  }
}

/** Saves the known facts of the files `uris`, if any of them are new. */
export async function saveStore(
  store: FileStore,
  cache: Cache | undefined,
  { build, uris, log }: { readonly build: string; readonly uris: Iterable<string>; readonly log: Log },
): Promise<void> {
  try {
    if (store.changed) await cache?.write(store.stored(build, uris));
  } catch (error) {
    log.warn(`The cache could not be written: ${error}`);
  }
}
