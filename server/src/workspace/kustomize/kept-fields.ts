/** Determines which fields of objects a scope certainly applies as they are in the files. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { PathReference } from '../../manifests/kustomize/model.ts';
import type { FieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { EffectiveObject, Rendering, Workspace } from '../model.ts';
import { isRendered, type Scope } from '../scopes/model.ts';
import { folderOf } from '../uri.ts';
import { kustomizationIn } from './kustomization-paths.ts';
import { mayChangeField } from './transformer-sources.ts';

/** An object in a file, or the object that a generator of the file creates. */
interface Applied {
  readonly file: { readonly uri: string };
  readonly object?: { readonly kindSpan: { readonly start: number } } | undefined;
}

/** Whether a scope certainly contains an object, and changes neither a field of it, nor what is in the field. Names and namespaces, which change in all objects alike, are not compared. */
export function keepsField(
  workspace: Workspace,
  catalogue: Catalogue,
  scope: Scope,
  applied: Applied,
  field: FieldPath,
): boolean {
  if (!isRendered(scope)) return scope.edited !== true;
  if (!hasKnownPatches(workspace, scope)) return false;
  const rendering = workspace.rendering(scope.path, catalogue);
  if (rendering === undefined) return false;
  const { file, object } = applied;
  const key = object === undefined ? file.uri : placeIn(file.uri, object);
  const versions = getOrAdd(byPlace, rendering, objectsByPlace).get(key) ?? [];
  // A patch may delete the object.
  return (
    versions.length > 0 &&
    versions.every(({ object, transformers }) => !object.obscured && !mayChangeField(transformers, field))
  );
}

const byPlace = new WeakMap<Rendering, ReadonlyMap<string, readonly EffectiveObject[]>>();

/** Returns the objects of a rendering by their place in a file, and those that generators create by their file. */
function objectsByPlace({ objects }: Rendering): ReadonlyMap<string, readonly EffectiveObject[]> {
  const found = new Map<string, EffectiveObject[]>();
  for (const each of objects) {
    getOrAdd(found, placeIn(each.file.uri, each.object), () => []).push(each);
    if (!each.written) getOrAdd(found, each.file.uri, () => []).push(each);
  }
  return found;
}

function placeIn(uri: string, { kindSpan }: { readonly kindSpan: { readonly start: number } }): string {
  return `${uri}\n${kindSpan.start}`;
}

/** Whether all patches of a scope are in the workspace: no component and no file with patches is missing, and no program or plugin changes objects. */
function hasKnownPatches(workspace: Workspace, scope: Scope): boolean {
  return workspace
    .scopes()
    .partsOf(scope)
    .every((uri) => {
      const kustomization = workspace.files.get(uri)?.kustomization;
      if (kustomization === undefined) return true;
      const { components, patches, plugins, programs } = kustomization;
      const at = ({ path }: PathReference) => workspace.at(folderOf(uri), path);
      return (
        plugins.length + programs.length === 0 &&
        components.every((each) => kustomizationIn(workspace, at(each)) !== undefined) &&
        patches.every((each) => workspace.files.get(at(each)) !== undefined)
      );
    });
}

/** Whether a scope certainly contains everything that may add to its objects: at most resources of kustomizations and created objects are missing, which are other objects. */
export function isCompleteExceptObjects(workspace: Workspace, scope: Scope): boolean {
  if (scope.closed === true || scope.closed.areObjects) return true;
  if (scope.kind !== 'kustomization' || scope.unread) return false;
  const parts = workspace.scopes().partsOf(scope);
  return parts.every((uri) => (workspace.files.get(uri)?.kustomization?.charts ?? []).length === 0);
}
