/**
 * Finds what a Flux Kustomization builds in a folder: its kustomization, or the list that Flux generates.
 * Source: fluxcd/pkg `kustomize/kustomize_generator.go`.
 */

import { fileNameOf } from '../uri.ts';
import type { FolderTree } from './folder-tree.ts';
import type { GitopsContent } from './model.ts';
import type { IsLeftOut } from './source-ignore.ts';

/** Returns the content of a folder; `kustomizations` contains the folders that have a kustomization. */
export function fluxContent(
  folder: string,
  tree: FolderTree,
  kustomizations: ReadonlySet<string>,
  isLeftOut: IsLeftOut,
): Pick<GitopsContent, 'kustomized' | 'resources'> {
  if (kustomizations.has(folder)) return { kustomized: true, resources: [] };
  const resources: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const contained = tree.filesIn(next).filter((uri) => !isLeftOut(uri));
    if (kustomizations.has(next) && contained.length > 0) {
      resources.push(next);
      continue;
    }
    resources.push(...contained.filter(isListed));
    waiting.push(...tree.foldersIn(next));
  }
  return { resources: resources.toSorted() };
}

/** Whether a source excludes a folder: the folder contains files, and the source excludes each of them. */
export function isFolderLeftOut(folder: string, tree: FolderTree, isLeftOut: IsLeftOut): boolean {
  let found = false;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const files = tree.filesIn(next);
    if (files.some((uri) => !isLeftOut(uri))) return false;
    found ||= files.length > 0;
    waiting.push(...tree.foldersIn(next));
  }
  return found;
}

/** Whether Flux lists a file. The extension is case-sensitive, and hidden files are listed too. */
function isListed(uri: string): boolean {
  return /\.ya?ml$/.test(fileNameOf(uri));
}
