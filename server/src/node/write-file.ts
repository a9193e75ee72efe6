/** Writes files to disk atomically: even if the process is killed during a write, no file is left incomplete. */

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Matches the end of the name of a temporary file. A process that is killed while writing leaves such a file behind. */
export const unfinishedName = /\.\d+-[0-9a-f]{12}\.tmp$/;

/**
 * Writes a temporary file next to the target, then calls `put` with its path to move it there. The temporary file
 * always has a new name, so no link is followed. Throws the errors of the system after it removed the temporary file.
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
