/** Locates the user's cache folder by the conventions of the operating system. */

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the user's cache folder; undefined if there is none, as for a user without a home folder. Relative paths are ignored, because they would refer to the checked folder, whose content is not trusted. */
export function userCacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32' && isPath(LOCALAPPDATA)) return join(LOCALAPPDATA, 'selector-lens', 'cache');
  if (isPath(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'selector-lens');
  const home = homeFolder();
  if (!isPath(home)) return undefined;
  const caches = process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
  return join(caches, 'selector-lens');
}

function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function isPath(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
