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
    if (kustomizations.has(next)) {
      resources.push(next);
      continue;
    }
    for (const uri of tree.filesIn(next)) if (isListed(uri) && !isLeftOut(uri, false)) resources.push(uri);
    waiting.push(...tree.foldersIn(next).filter((each) => !isLeftOut(each, true)));
  }
  return { resources: resources.toSorted() };
}

/** Whether Flux lists a file. The extension is case-sensitive, and hidden files are listed too. */
function isListed(uri: string): boolean {
  return /\.ya?ml$/.test(fileNameOf(uri));
}
