/** Where on disk is kept what is known of a workspace between two runs? */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cache, StoredFiles } from '../workspace/file-store.ts';
import { userCacheFolder } from './user-cache-folder.ts';

/**
 * The cache of some folders: a file in `storage` (the editor's storage folder), else in the user's cache folder; where
 * there is none, nothing is kept. It is written whole and then put in its place, so that nobody reads half of it, and
 * tells of files that may be for this user alone.
 */
export function cacheFile(storage: string | undefined, folders: readonly string[]): Cache {
  const name = createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 32);
  const folder = storage ?? userCacheFolder();
  if (folder === undefined) return { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };
  const path = join(folder, `index-${name}`);
  return {
    async read() {
      const bytes = await readFile(path).catch(() => undefined);
      return bytes && split(bytes);
    },
    async write({ header, bytes }) {
      const text = Buffer.from(header);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      const unfinished = `${path}.${process.pid}`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(unfinished, Buffer.concat([length, text, bytes]), { mode: 0o600 });
      await rename(unfinished, path);
    },
  };
}

/** The length of the header in four bytes, the header, and the rest. */
function split(file: Buffer): StoredFiles | undefined {
  if (file.length < 4) return undefined;
  const end = 4 + file.readUInt32LE();
  if (end > file.length) return undefined;
  return { header: file.toString('utf8', 4, end), bytes: file.subarray(end) };
}
