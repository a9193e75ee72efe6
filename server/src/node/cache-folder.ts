/** Checks of the folder in which caches are kept: only this user may be able to write there. */

import { mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a cache folder if it does not exist, for this user alone. Returns the reason why it must not be used, as the
 * end of a sentence; undefined if it can be used, or if it could not be created, which using it will show.
 */
export function refusalOfCacheFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const real = realpathSync.native(folder);
    return (
      refusalOf(statSync(real)) ??
      [folder, real]
        .map(dirname)
        .map(refusalOfParent)
        .find((each) => each !== undefined)
    );
  } catch {
    return undefined;
  }
}

const group = 0o020;
const everyone = 0o002;
const sticky = 0o1000;

/** Windows has no such owners and permissions: there, the folder of the user is private. */
function refusalOf({ uid, mode }: Stats): string | undefined {
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid()) return 'it belongs to another user';
  return (mode & (group | everyone)) === 0 ? undefined : "other users can write to it ('chmod go-w' takes that away)";
}

/** Who can write to the folder above could put another folder in this place, unless the folder is sticky as `/tmp` is. */
function refusalOfParent(folder: string): string | undefined {
  if (process.getuid === undefined) return undefined;
  const { mode } = statSync(folder);
  return (mode & everyone) !== 0 && (mode & sticky) === 0 ? 'every user can write to the folder above it' : undefined;
}
