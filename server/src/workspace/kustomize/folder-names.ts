/** Lists the names in the folders of a workspace. */

import { getOrAdd } from '../../engine/memoize.ts';
import { unrecorded } from '../dependencies/questions.ts';
import type { Workspace } from '../model.ts';
import { folderOf } from '../uri.ts';

const folders = new WeakMap<Workspace, ReadonlyMap<string, ReadonlySet<string>>>();

/** Returns the names of the files and folders in a folder; none if no file of the folder is known. */
export function namesIn(workspace: Workspace, folder: string): ReadonlySet<string> {
  workspace.questions?.note({ about: 'paths' });
  const names = getOrAdd(folders, workspace, () => unrecorded(workspace, () => foldersOf(workspace.files.keys())));
  return names.get(folder.replace(/\/$/, '')) ?? noNames;
}

const noNames: ReadonlySet<string> = new Set();

/** Returns every folder with the names of the files and folders in it. */
function foldersOf(uris: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const uri of uris) {
    for (let inner = uri; inner.includes('/'); inner = folderOf(inner)) {
      const inFolder = getOrAdd(names, folderOf(inner), () => new Set<string>());
      const name = inner.slice(inner.lastIndexOf('/') + 1);
      if (inFolder.has(name)) break;
      inFolder.add(name);
    }
  }
  return names;
}
