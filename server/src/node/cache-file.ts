/** Stores the index of a workspace in a cache file for the next run. */

import { createHash } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache, StoredFiles } from '../workspace/store/file-store.ts';
import { cacheFolder } from './cache-folder.ts';
import { asyncRead } from './read-file.ts';
import { unfinishedName, writeWhole } from './write-file.ts';

/** The maximum size of the cache file in bytes; the index of any workspace is smaller. */
const maximumBytes = 500_000_000;

const noCache: Cache = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };

/** The reasons that have already been reported, so that each is reported only once. */
const told = new Set<string>();

/** Returns the cache of some workspace folders, which is stored as a file in `folder`; without a folder, nothing is stored. The file is written atomically and is accessible only to the current user. If other users can write to the folder, it is not used, and `tell` is called once with the reason. */
export function cacheFile(
  folder: string | undefined,
  folders: readonly string[],
  tell: (sentence: string) => void = () => {},
): Cache {
  if (folder === undefined) return noCache;
  const state = cacheFolder(folder);
  if (state === 'absent') return noCache;
  if (state !== 'usable') {
    const sentence = `The cache folder '${folder}' is not used: ${state.refusal}.`;
    if (!told.has(sentence)) tell(sentence);
    told.add(sentence);
    return noCache;
  }
  const name = createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 32);
  const path = join(folder, `index-${name}`);
  return {
    async read() {
      const read = await asyncRead(path, maximumBytes).catch(() => undefined);
      return read === undefined || 'skipped' in read ? undefined : split(read.bytes);
    },
    async write({ header, bytes }) {
      const text = Buffer.from(header);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      await writeWhole(path, Buffer.concat([length, text, bytes]), 0o600);
      await removeUnfinished(folder);
    },
  };
}

/** Splits a cache file, which contains the length of the header in four bytes, the header, and the content; undefined if it is malformed. */
function split(file: Buffer): StoredFiles | undefined {
  if (file.length < 4) return undefined;
  const end = 4 + file.readUInt32LE();
  if (end > file.length) return undefined;
  return { header: file.toString('utf8', 4, end), bytes: file.subarray(end) };
}

/** The age in milliseconds after which a temporary file is considered abandoned; writing a cache never takes this long. */
const abandoned = 3_600_000;

/** Removes temporary files that killed processes left behind. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('index-') || !unfinishedName.test(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > abandoned) await rm(path, { force: true });
  }
}
