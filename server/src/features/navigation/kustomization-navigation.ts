/** Navigation in kustomizations: from a target to the objects that it selects, and from a file, an object or a kustomization to the fields that include or change it. */

import { type KustomizationField, kustomizationFieldAt } from '../../manifests/kustomize/kustomization-field.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { touches } from '../../text/span.ts';
import { definitionIn } from '../../workspace/gitops/defined-scopes.ts';
import { pathsOf } from '../../workspace/kustomize/kustomization-paths.ts';
import { kustomizationsListing, kustomizationsNaming } from '../../workspace/kustomize/named-files.ts';
import { transformerKey, transformerSpan } from '../../workspace/kustomize/transformer-sources.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { FileSpan } from '../locations.ts';
import { effectOf } from '../selected/kustomization-effects.ts';
import type { FileView } from '../view.ts';
import { fileAtPath, filePathAt } from './file-paths.ts';

/** The maximum number of locations. */
const maximumPlaces = 1000;

/** Returns the objects that the target at an offset of a kustomization selects; empty elsewhere. */
export function selectedByTarget(view: FileView, offset: number): readonly FileSpan[] {
  const field = view.file.kustomization && kustomizationFieldAt(view.text, offset);
  if (field === undefined || !isTarget(field)) return [];
  const objects = effectOf(view, view.file, field)?.objects ?? [];
  return objects.slice(0, maximumPlaces).map(({ where }) => ({ file: where.file, span: nameSpan(where.object) }));
}

/** Whether a field of a kustomization selects objects, like the `target` of a patch. */
function isTarget({ field, below: [first, second] }: KustomizationField): boolean {
  if (field === 'replicas') return first === 'name';
  if (field === 'replacements') return first === 'source' || (first === 'targets' && second === 'select');
  return first === 'target';
}

/** Returns the references at an offset. For a path, these are the paths to the same file; for the kind of a kustomization, the paths to it; for the kind of any other object, the paths to its file and the changes to the object. */
export function referencesInKustomizations(view: FileView, offset: number): readonly FileSpan[] {
  const { workspace, file } = view;
  const path = filePathAt(view, offset);
  const target = path && fileAtPath(workspace, path);
  if (target !== undefined) return pathsTo(workspace, target);
  const object = file.manifest.objects.find(({ kindSpan }) => touches(kindSpan, offset));
  if (object === undefined) return [];
  const paths = [...pathsTo(workspace, file), ...gitopsObjectsApplying(workspace, file.uri)];
  if (object.group === kustomizeGroup) return paths;
  return [...paths, ...changesOf(view, object)].slice(0, maximumPlaces);
}

/** Returns the GitOps objects that apply the objects of a file, or that use the file in a build. */
function gitopsObjectsApplying(workspace: Workspace, uri: string): readonly FileSpan[] {
  const scopes = workspace.scopes();
  const names = new Map<string, FileSpan>();
  for (const { gitops } of [...scopes.ofFile(uri), ...scopes.building(uri)]) {
    if (gitops === undefined || gitops.uri === uri) continue;
    const file = workspace.files.get(gitops.uri);
    const object = definitionIn(gitops, workspace.files);
    if (file === undefined || object === undefined) continue;
    const span = nameSpan(object);
    names.set(`${file.uri} ${span.start}`, { file, span });
  }
  return [...names.values()];
}

/** Returns the paths in kustomizations that refer to a file or, for a kustomization, to its folder. */
function pathsTo(workspace: Workspace, { uri, kustomization }: WorkspaceFile): readonly FileSpan[] {
  const target = kustomization === undefined ? uri : folderOf(uri);
  const parts = [
    ...kustomizationsListing(workspace.scopes(), target),
    ...kustomizationsNaming(workspace.scopes(), target),
  ];
  return [...new Set(parts)].slice(0, maximumPlaces).flatMap((part) => {
    const file = workspace.files.get(part);
    const paths = file?.kustomization === undefined ? [] : pathsOf(file.kustomization);
    return paths.flatMap(({ path, span }) =>
      file !== undefined && workspace.at(folderOf(part), path) === target ? [{ file, span }] : [],
    );
  });
}

/** Returns the labels, patches and replacements with which kustomizations change an object. */
function changesOf({ workspace, catalogue, file }: FileView, { kindSpan }: ManifestObject): readonly FileSpan[] {
  const found = new Map<string, FileSpan>();
  for (const scope of workspace.scopes().ofFile(file.uri)) {
    const rendering = scope.kind === 'kustomization' ? workspace.rendering(scope.path, catalogue) : undefined;
    for (const each of rendering?.objects ?? []) {
      if (each.file.uri !== file.uri || each.object.kindSpan.start !== kindSpan.start) continue;
      for (const source of each.transformers) {
        const from = workspace.files.get(source.uri);
        if (from === undefined) continue;
        const span = source.kind === 'merge' ? nameSpan(source.object) : transformerSpan(source);
        found.set(transformerKey(source), { file: from, span });
      }
    }
  }
  return [...found.values()];
}
