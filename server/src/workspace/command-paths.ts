/** Finds the files and folders of the workspace that paths in commands refer to. */

import type { Workspace, WorkspaceFile } from './model.ts';
import { folderOf, isWithin, resolveUri } from './uri.ts';

export type PathTarget =
  | { readonly is: 'file'; readonly file: WorkspaceFile }
  /** A folder: `direct` are the files in the folder itself, `deeper` the files in the folders below it. */
  | {
      readonly is: 'folder';
      readonly uri: string;
      readonly direct: readonly WorkspaceFile[];
      readonly deeper: readonly WorkspaceFile[];
    };

/** Returns the folders in which a command in a file may run, the nearest first: the folder of the file, and the folders around it up to the workspace folder. The result is empty for a file outside of the workspace folders. */
function workingFolders(workspace: Workspace, uri: string): readonly string[] {
  const root = workspace.folders.find((folder) => isWithin(uri, folder));
  const folders: string[] = [];
  for (let at = folderOf(uri); root !== undefined && isWithin(at, root); at = folderOf(at)) folders.push(at);
  return folders;
}

/** Returns the URIs that a path may refer to, except for URIs outside of the workspace folder. */
export function pathCandidates(workspace: Workspace, uri: string, path: string): readonly string[] {
  const folders = workingFolders(workspace, uri);
  const root = folders.at(-1);
  if (root === undefined) return [];
  return folders.map((folder) => resolveUri(folder, path)).filter((each) => isWithin(each, root));
}

/** Returns the target of a path in a command of a file; undefined if the workspace does not contain it. */
export function pathTarget(workspace: Workspace, uri: string, path: string): PathTarget | undefined {
  for (const candidate of pathCandidates(workspace, uri, path)) {
    const file = workspace.files.get(candidate);
    if (file !== undefined) return { is: 'file', file };
    if (!foldersOf(workspace).has(candidate)) continue;
    const direct: WorkspaceFile[] = [];
    const deeper: WorkspaceFile[] = [];
    workspace.files.forEach((each) => {
      if (!each.uri.startsWith(`${candidate}/`)) return;
      (folderOf(each.uri) === candidate ? direct : deeper).push(each);
    });
    return { is: 'folder', uri: candidate, direct, deeper };
  }
  return undefined;
}

const folders = new WeakMap<Workspace['files'], ReadonlySet<string>>();

/** Returns every folder that contains a file, directly or in a subfolder. */
function foldersOf({ files }: Workspace): ReadonlySet<string> {
  const known = folders.get(files);
  if (known !== undefined) return known;
  const found = new Set<string>();
  files.forEach((_, uri) => {
    for (let at = folderOf(uri); at !== '' && !found.has(at); at = folderOf(at)) found.add(at);
  });
  folders.set(files, found);
  return found;
}
