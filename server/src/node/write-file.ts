/** Writes files to disk: whole or not at all, also when the process is killed in the middle. */

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** The end of the name of a file that is being written. A killed process leaves it behind. */
export const unfinishedName = /\.\d+-[0-9a-f]{12}\.tmp$/;

/**
 * Writes a file beside its place and then calls `put` with the path of that file, to move it there. The file never has a
 * name that was there before, so no link is followed. Throws what the system throws, and then leaves nothing behind.
 * @param mode the permissions of the file, whatever the umask is
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array,
  mode: number,
  put: (unfinished: string) => Promise<void> = (unfinished) => rename(unfinished, path),
): Promise<void> {
  const unfinished = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(unfinished, 'wx', mode);
  try {
    await fill(file, bytes, mode);
    await put(unfinished);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function fill(file: FileHandle, bytes: Uint8Array, mode: number): Promise<void> {
  try {
    await file.writeFile(bytes);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
