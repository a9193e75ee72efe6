/** Resolves the paths in a kustomization. Shared by rules and features. */

import { kustomizationNames } from '../../manifests/kustomize/kustomization.ts';
import type { Kustomization, PathReference } from '../../manifests/kustomize/model.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { folderOf, isWithin } from '../uri.ts';

/** Returns the references of a kustomization to files and folders that affect what it builds. */
export function referencesOf(kustomization: Kustomization): readonly PathReference[] {
  const { resources, components, plugins } = kustomization;
  return [...resources, ...components, ...plugins, ...kustomization.patches];
}

/** Returns every path of a kustomization without duplicates, since some paths are in several lists of the model. */
export function pathsOf(kustomization: Kustomization): readonly PathReference[] {
  const replacements = kustomization.replacements.flatMap((each) => ('path' in each ? each : []));
  const all = [...referencesOf(kustomization), ...replacements, ...kustomization.inputs];
  return [...new Map(all.map((each) => [each.span.start, each])).values()];
}

export function kustomizationIn(workspace: Workspace, folder: string): WorkspaceFile | undefined {
  // Most references are to files, which need no search.
  if (workspace.files.has(folder)) return undefined;
  for (const name of kustomizationNames) {
    const file = workspace.files.get(`${folder}/${name}`);
    if (file?.scope.kustomization !== undefined) return file;
  }
  return undefined;
}

/** Returns the kustomizations that a kustomization includes directly, each with its reference. */
export function kustomizationsBelow(
  workspace: Workspace,
  { uri, kustomization }: WorkspaceFile,
): readonly { readonly file: WorkspaceFile; readonly reference: PathReference }[] {
  if (kustomization === undefined) return [];
  return [...kustomization.resources, ...kustomization.components].flatMap((reference) => {
    const file = kustomizationIn(workspace, workspace.at(folderOf(uri), reference.path));
    return file === undefined ? [] : [{ file, reference }];
  });
}

/** Whether a file is in a folder of the workspace. Files outside of all folders are unknown. */
export function isInWorkspace(workspace: Workspace, uri: string): boolean {
  return workspace.folders.some((folder) => isWithin(uri, folder));
}
