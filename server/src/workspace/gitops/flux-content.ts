/**
 * Finds what a Flux Kustomization builds in a folder: its kustomization, or the list that Flux generates.
 * Source: fluxcd/pkg `kustomize/kustomize_generator.go`.
 */

import { fileNameOf } from '../uri.ts';
import type { FolderTree } from './folder-tree.ts';
import type { GitopsContent } from './model.ts';

/** Returns the content of a folder; `kustomizations` are the folders with a kustomization. */
export function fluxContent(
  folder: string,
  tree: FolderTree,
  kustomizations: ReadonlySet<string>,
): Pick<GitopsContent, 'kustomized' | 'resources'> {
  if (kustomizations.has(folder)) return { kustomized: true, resources: [] };
  const resources: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (kustomizations.has(next)) {
      resources.push(next);
      continue;
    }
    for (const uri of tree.filesIn(next)) if (isListed(fileNameOf(uri))) resources.push(uri);
    waiting.push(...tree.foldersIn(next).filter((each) => !ignoredFolders.has(fileNameOf(each))));
  }
  return { resources: resources.toSorted() };
}

/** Folders and files that a source leaves out by default: fluxcd/pkg `sourceignore/sourceignore.go`. */
const ignoredFolders: ReadonlySet<string> = new Set(['.git', '.github', '.circleci']);
const ignoredFiles: ReadonlySet<string> = new Set([
  ...['.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml', 'codeship-services.yml'],
  ...['codeship-steps.yml', '.goreleaser.yml', '.sops.yaml', '.flux.yaml'],
]);

/** Whether Flux lists a file: the extension is case-sensitive, and hidden files count. */
function isListed(name: string): boolean {
  return /\.ya?ml$/.test(name) && !ignoredFiles.has(name);
}
