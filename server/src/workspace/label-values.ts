/** Finds the values that the source of a label allows: teams in CODEOWNERS, Groups of Backstage, Namespaces, or names of folders. */

import { nameLabel } from '../engine/catalogue/name-labels.ts';
import { everything } from '../engine/index.ts';
import { getOrAdd } from '../engine/memoize.ts';
import type { ValueSource } from '../settings/label-shapes.ts';
import { globMatcher } from '../text/glob.ts';
import { compareText } from '../text/order.ts';
import { codeOwnersPaths, teamsOf } from './code-owners.ts';
import { unrecorded } from './dependencies/questions.ts';
import { kindKey } from './index/file-outline.ts';
import type { Workspace } from './model.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from './uri.ts';

/** Returns the values of a source for the configuration in a folder; undefined if they are unknown. */
export function valuesFrom(workspace: Workspace, folder: string, source: ValueSource): readonly string[] | undefined {
  switch (source.is) {
    case 'codeowners':
      return teamsIn(workspace, folder);
    case 'backstage':
      return groupsIn(workspace);
    case 'namespaces':
      return namespacesIn(workspace);
    case 'folders':
      return foldersAt(workspace, folder, source.paths);
  }
}

/** Returns the folder of the configuration that describes labels for a file, and the path of the file in it; undefined if no configuration describes labels. */
export function labelsConfigOf(
  workspace: Workspace,
  uri: string,
): { readonly folder: string; readonly path: string } | undefined {
  const chain = workspace.configs().of(uri)?.chainFor(uri) ?? [];
  const found = chain.findLast(({ config }) => config.values.labels !== undefined);
  return found && { folder: folderOf(found.uri), path: found.path };
}

/** Returns the names of the teams in CODEOWNERS: the last part of `@organization/team`. */
function teamsIn(workspace: Workspace, folder: string): readonly string[] | undefined {
  const roots = [folder, ...workspace.folders.filter((each) => isWithin(folder, each))];
  for (const root of roots)
    for (const path of codeOwnersPaths) {
      const text = workspace.files.get(workspace.at(root, path))?.scope.ignores;
      if (text !== undefined) return sorted(teamsOf(text));
    }
  return undefined;
}

/** Returns the names of the Groups in the files that Backstage reads; undefined if there are none. */
function groupsIn(workspace: Workspace): readonly string[] | undefined {
  const names = filesNamed(workspace, /^catalog-info\.ya?ml$/).flatMap((uri) => {
    const objects = workspace.files.get(uri)?.manifest.objects ?? [];
    const groups = objects.filter(({ group, kind }) => group === 'backstage.io' && kind === 'Group');
    return groups.flatMap(({ name }) => (typeof name?.value === 'string' ? [name.value] : []));
  });
  return names.length === 0 ? undefined : sorted(names);
}

const knownFiles = new WeakMap<Workspace, Map<string, readonly string[]>>();

function filesNamed(workspace: Workspace, name: RegExp): readonly string[] {
  workspace.questions?.note({ about: 'paths' });
  const known = getOrAdd(knownFiles, workspace, () => new Map<string, readonly string[]>());
  return getOrAdd(known, name.source, () =>
    unrecorded(workspace, () => [...workspace.files.keys()].filter((uri) => name.test(fileNameOf(uri)))),
  );
}

/** Returns the names of the Namespaces in the workspace; undefined if there are none, or if a template determines a name. */
function namespacesIn(workspace: Workspace): readonly string[] | undefined {
  const names: string[] = [];
  for (const { labelSet } of workspace.labelSets(kindKey({ group: '', kind: 'Namespace' }), everything)) {
    const name = labelSet.labels[nameLabel];
    if (typeof name !== 'string') return undefined;
    names.push(name);
  }
  return names.length === 0 ? undefined : sorted(names);
}

const knownFolders = new WeakMap<Workspace, Map<string, readonly string[]>>();

/** Returns the names of the folders below a folder that match patterns; undefined if there are none. */
function foldersAt(workspace: Workspace, folder: string, paths: readonly string[]): readonly string[] | undefined {
  workspace.questions?.note({ about: 'paths' });
  const known = getOrAdd(knownFolders, workspace, () => new Map<string, readonly string[]>());
  const names = getOrAdd(known, JSON.stringify([folder, paths]), () =>
    unrecorded(workspace, () => {
      const folders = new Set<string>();
      for (const uri of workspace.files.keys())
        for (let at = folderOf(uri); at !== folder && isWithin(at, folder) && !folders.has(at); at = folderOf(at))
          folders.add(at);
      const isMeant = globMatcher(paths.map((path) => (path.endsWith('/') ? path.slice(0, -1) : path)));
      return sorted([...folders].filter((each) => isMeant(relativePath(folder, each))).map(fileNameOf));
    }),
  );
  return names.length === 0 ? undefined : names;
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText);
}
