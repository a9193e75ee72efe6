/** Where does this user's system want programs to keep what they can make again? */

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Undefined where nothing says it, as for a user without a home. A relative path is none: it would lead into the folder
 * that is looked at, and what lies there was made by others.
 */
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
