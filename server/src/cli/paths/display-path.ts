/** Formats the paths of files for a terminal. */

import { relativeFolder } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';

/** Returns the path of a file relative to the current folder. */
export function displayPath(world: World, uri: string): string {
  return relativeFolder(world.currentFolder, uri);
}
