/** Resolves paths that files of a repository contain. */

import { resolve } from 'node:path';

/** Returns the path relative to a folder; undefined for a network path, because opening it would connect to another computer. */
export function localPath(folder: string, path: string): string | undefined {
  return /^[\\/]{2}/.test(path) ? undefined : resolve(folder, path);
}
