/** The folders of a workspace with their files and subfolders. */

import { getOrAdd } from '../../engine/memoize.ts';
import { fileNameOf, folderOf } from '../uri.ts';

export interface FolderTree {
  has(folder: string): boolean;
  /** Returns the files of a folder, sorted by URI. */
  filesIn(folder: string): readonly string[];
  /** Returns the files of a folder by their names. */
  namesIn(folder: string): ReadonlyMap<string, string>;
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
  const sorted = new Map<string, readonly string[]>();
  const named = new Map<string, ReadonlyMap<string, string>>();
  const filesIn = (folder: string) => getOrAdd(sorted, folder, () => (files.get(folder) ?? []).toSorted());
  return {
    has: (folder) => files.has(folder) || folders.has(folder),
    filesIn,
    namesIn: (folder) => getOrAdd(named, folder, () => new Map(filesIn(folder).map((uri) => [fileNameOf(uri), uri]))),
    foldersIn: (folder) => [...(folders.get(folder) ?? [])].toSorted(),
  };
}
