/** The folders of a workspace with their files and subfolders. */

import { getOrAdd } from '../../engine/memoize.ts';
import { folderOf } from '../uri.ts';

export interface FolderTree {
  has(folder: string): boolean;
  /** Returns the files of a folder, sorted by name. */
  filesIn(folder: string): readonly string[];
  /** Returns the subfolders of a folder, sorted by name. */
  foldersIn(folder: string): readonly string[];
}

export function folderTree(uris: Iterable<string>): FolderTree {
  const files = new Map<string, string[]>();
  const folders = new Map<string, Set<string>>();
  for (const uri of uris) {
    const folder = folderOf(uri);
    getOrAdd(files, folder, () => []).push(uri);
    let child = folder;
    for (let parent = folderOf(child); parent.includes('/'); parent = folderOf(child)) {
      const known = getOrAdd(folders, parent, () => new Set<string>());
      if (known.has(child)) break;
      known.add(child);
      child = parent;
    }
  }
  return {
    has: (folder) => files.has(folder) || folders.has(folder),
    filesIn: (folder) => (files.get(folder) ?? []).toSorted(),
    foldersIn: (folder) => [...(folders.get(folder) ?? [])].toSorted(),
  };
}
