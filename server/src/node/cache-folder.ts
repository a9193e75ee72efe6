/** Checks and creates the folder of the caches, which only the current user may be able to write to. */

import { mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './system-error-text.ts';

/** Creates a cache folder that only the current user can access, unless it exists. Returns `usable`, `absent` if it could not be created, or the reason why it must not be used, worded as the end of a sentence. */
export function cacheFolder(folder: string): 'usable' | 'absent' | { readonly refusal: string } {
  try {
    createFolder(folder);
    const real = realpathSync.native(folder);
    const refusal =
      refusalOf(statSync(real)) ??
      [folder, real]
        .map(dirname)
        .map(refusalOfParent)
        .find((each) => each !== undefined);
    return refusal === undefined ? 'usable' : { refusal };
  } catch {
    return 'absent';
  }
}

/** Creates a folder and its parents step by step, because the `recursive` option of Node.js never returns in `/proc`, where creating a folder fails with ENOENT although the parent exists. Throws system errors. */
function createFolder(folder: string): void {
  const missing: string[] = [];
  for (let each = folder; statSync(each, { throwIfNoEntry: false }) === undefined; each = dirname(each)) {
    if (dirname(each) === each) break;
    missing.push(each);
  }
  for (const each of missing.toReversed()) createOne(each);
}

/** A different process may create the folder at the same time. */
function createOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const group = 0o020;
const everyone = 0o002;
const sticky = 0o1000;

/** Returns the reason why a folder with this owner and these permissions must not be used; undefined if it can be used. Windows does not have such owners and permissions, but the folder of a user is private there. */
function refusalOf({ uid, mode }: Stats): string | undefined {
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid()) return 'it belongs to another user';
  return (mode & (group | everyone)) === 0 ? undefined : "other users can write to it ('chmod go-w' takes that away)";
}

/** Returns the reason why a folder with this parent folder must not be used; undefined if it can be used. A user who can write to the parent folder could replace the folder, unless the parent has the sticky bit, as `/tmp` does. */
function refusalOfParent(folder: string): string | undefined {
  if (process.getuid === undefined) return undefined;
  const { mode } = statSync(folder);
  return (mode & everyone) !== 0 && (mode & sticky) === 0 ? 'every user can write to the folder above it' : undefined;
}
