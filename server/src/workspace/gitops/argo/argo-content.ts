/** Finds what Argo CD builds in a folder: its kustomization, its chart, or its plain files. */

import { memoized } from '../../../engine/memoize.ts';
import type { ArgoSettings } from '../../../manifests/gitops/argo-settings.ts';
import type { GitopsSource } from '../../../manifests/gitops/model.ts';
import type { ScopeFacts } from '../../scopes/scope-facts.ts';
import { relativePath } from '../../uri.ts';
import type { FolderTree } from '../folder-tree.ts';
import type { GitopsContent } from '../model.ts';
import { directoryFilter, isNameForTool, toolFor } from './source-tool.ts';

/** The content of a folder as Argo CD builds it. */
export type ArgoContent = Pick<GitopsContent, 'kustomized' | 'chart' | 'resources'>;

interface ArgoSurroundings {
  readonly tree: FolderTree;
  readonly files: ReadonlyMap<string, ScopeFacts>;
  readonly argo: ArgoSettings;
}

/** Many Applications build the same folder, which may contain many other files. */
const toolNames = memoized((uriByName: ReadonlyMap<string, string>) => [...uriByName.keys()].filter(isNameForTool));

/** Returns the content of a folder; undefined if its objects are in no file, or are unknown. */
export function argoContent(
  folder: string,
  { explicit, directory }: GitopsSource,
  { tree, files, argo }: ArgoSurroundings,
): ArgoContent | undefined {
  if (explicit === 'unclear') return undefined;
  // The files in the folder are the input of a plugin; what else it adds is unknown.
  const tool = toolFor(toolNames(tree.namesIn(folder)), explicit === 'plugin' ? undefined : explicit, argo.off);
  switch (explicit === 'plugin' && tool === 'helm' ? 'plugin' : tool) {
    case 'kustomize':
      return { kustomized: true, resources: [] };
    case 'helm':
      return { chart: true, resources: [] };
    case 'plugin':
      return undefined;
    case 'directory': {
      const isRead = directoryFilter(directory);
      if (isRead === undefined) return undefined;
      const inside = filesIn(folder, tree, directory?.recurse === true);
      const isListed = (uri: string) => {
        const { skipsArgo, kustomization } = files.get(uri) ?? {};
        // A kustomization is not an object that a cluster accepts.
        return isRead(relativePath(folder, uri)) && skipsArgo !== true && kustomization === undefined;
      };
      return { resources: inside.filter(isListed) };
    }
  }
}

function filesIn(folder: string, tree: FolderTree, recurse: boolean): readonly string[] {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    files.push(...tree.filesIn(next));
    if (recurse) waiting.push(...tree.foldersIn(next));
  }
  return files.toSorted();
}
