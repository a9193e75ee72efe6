/** Where does this user's system want programs to keep what they can make again? */

import { homedir } from 'node:os';
import { join } from 'node:path';

export function userCacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'selector-lens', 'cache');
  if (process.platform === 'darwin' && !XDG_CACHE_HOME) return join(homedir(), 'Library', 'Caches', 'selector-lens');
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'selector-lens');
}
