/** Expands the ApplicationSets of a workspace into the Applications that they create. */

import { getOrAdd, once } from '../../../engine/memoize.ts';
import { applicationFacts, skippingMark, suspensionOf } from '../../../manifests/gitops/argo.ts';
import { textIn } from '../../../manifests/gitops/argo-source.ts';
import type { GitopsFacts } from '../../../manifests/gitops/model.ts';
import { repositoryKey } from '../../../manifests/gitops/repository-url.ts';
import { type Data, isMap } from '../../../manifests/helm/value.ts';
import { folderOf, isWithin, relativePath, resolveUri } from '../../uri.ts';
import type { FolderTree } from '../folder-tree.ts';
import { applicationsOf } from './application-set.ts';
import { type GeneratorFiles, repositoriesOf } from './generators.ts';
import { withImpliedParameters } from './implied-parameters.ts';

/** The files and folders of the workspace folders around a file. */
export interface SetSurroundings {
  readonly tree: FolderTree;
  /** The workspace folders, without a trailing slash. */
  readonly roots: readonly string[];
  /** All files, in lexical order. */
  files(): readonly string[];
  included(folder: string): boolean;
  content(uri: string): Data | undefined;
  /** The files that were already listed, by root. */
  readonly known: Map<string, GeneratorFiles>;
}

/** The Applications that an ApplicationSet in a file creates, and whether it may create more. */
export interface ExpandedSet {
  readonly facts: readonly GitopsFacts[];
  readonly open: boolean;
}

/** Returns the Applications that an ApplicationSet creates; `facts.set` is its spec. */
export function expandedSet(uri: string, facts: GitopsFacts, around: SetSurroundings): ExpandedSet {
  const { set = null, name: setName, namespace, rendered } = facts;
  const generators = isMap(set) && Array.isArray(set['generators']) ? set['generators'] : [];
  const repositories = generators.map((each) => repositoriesOf(each));
  let expanded: ExpandedSet | undefined;
  // The root of the repository is assumed to be the outermost folder in which the generators find something.
  for (const root of foldersAround(uri, around.roots)) {
    const files = filesBelow(root, around);
    const { results, open } = applicationsOf(set, files);
    const implied = withImpliedParameters(set, results, files);
    const found = (implied ?? results).map(({ application, parameters, generator }): GitopsFacts => {
      const metadata = isMap(application) && isMap(application['metadata']) ? application['metadata'] : {};
      const spec = isMap(application) ? (application['spec'] ?? null) : null;
      const name = textIn(metadata, 'name') ?? '';
      const own = repositories[generator];
      const from = { set: setName, generator, parameters, ...(own && { repositories: own }) };
      const annotations = isMap(metadata['annotations']) ? metadata['annotations'] : {};
      const named = { name, namespace, ...suspensionOf(annotations[skippingMark]) };
      return { ...applicationFacts(spec, named), from, ...(rendered && { rendered }) };
    });
    if (expanded === undefined || expanded.facts.length === 0 || implied !== undefined)
      expanded = { facts: found, open };
    const mayFindMore = readsRepository(set) ? found.length === 0 : found.some(hasUnknownPath);
    if (implied !== undefined || !mayFindMore) break;
  }
  return expanded ?? { facts: [], open: true };
}

/** Returns the folders that contain a file, from its workspace folder inward. */
export function foldersAround(uri: string, roots: readonly string[]): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(uri); roots.some((root) => isWithin(folder, root)); folder = folderOf(folder))
    folders.push(folder);
  return folders.toReversed();
}

function hasUnknownPath({ sources }: GitopsFacts): boolean {
  return sources.some(({ path }) => path === undefined);
}

function readsRepository(set: Data): boolean {
  return JSON.stringify(set).includes('"git":');
}

/** Returns the files and folders below a root. They are computed when a generator lists them, once for all ApplicationSets. */
function filesBelow(root: string, { tree, files, included, content, known }: SetSurroundings): GeneratorFiles {
  return getOrAdd(known, root, () => {
    const inside = once(() => files().filter((uri) => isWithin(uri, root)));
    const paths = once(() => inside().map((uri) => relativePath(root, uri)));
    const folders = once(() => foldersBelow(root, tree));
    return {
      get files() {
        return paths();
      },
      get folders() {
        return folders();
      },
      isIncluded: (path) => included(resolveUri(root, path)),
      isHere: (url) => repositoryKey(url) !== '',
      content: (path) => content(resolveUri(root, path)),
    };
  });
}

function foldersBelow(root: string, tree: FolderTree): readonly string[] {
  const folders: string[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next !== root) folders.push(relativePath(root, next));
    waiting.push(...tree.foldersIn(next).toReversed());
  }
  return folders;
}
