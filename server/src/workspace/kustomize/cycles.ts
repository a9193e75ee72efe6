/** Finds kustomizations that include themselves, directly or through others. */

import { getOrAdd } from '../../engine/memoize.ts';
import { unrecorded } from '../dependencies/questions.ts';
import type { Workspace } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { stronglyConnected } from '../scopes/strongly-connected.ts';
import { folderOf } from '../uri.ts';
import { kustomizationIn } from './kustomization-paths.ts';

const known = new WeakMap<ReturnType<Scopes['structure']>, ReadonlyMap<string, object>>();

/** Returns, for each kustomization that includes itself, an object that identifies its cycle. A change of a cycle concerns the scopes of its files, so that it is not recorded for each check. */
export function circlesIn(workspace: Workspace): ReadonlyMap<string, object> {
  const structure = unrecordedScopes(workspace).structure();
  return getOrAdd(known, structure, () => unrecorded(workspace, () => circlesOf(workspace, structure)));
}

function circlesOf(workspace: Workspace, facts: ReturnType<Scopes['structure']>): ReadonlyMap<string, object> {
  const below = new Map<string, readonly string[]>();
  // The facts for scopes contain the paths, so that no file is deserialized.
  for (const [uri, { kustomization }] of facts) {
    if (kustomization === undefined) continue;
    const paths = [...kustomization.resources, ...kustomization.components];
    below.set(
      uri,
      paths.flatMap((path) => kustomizationIn(workspace, workspace.at(folderOf(uri), path))?.uri ?? []),
    );
  }
  const circles = new Map<string, object>();
  for (const component of stronglyConnected([...below.keys()], (uri) => below.get(uri) ?? [])) {
    const [only] = component;
    const isCircle = component.length > 1 || (only !== undefined && below.get(only)?.includes(only));
    if (isCircle) for (const uri of component) circles.set(uri, component);
  }
  return circles;
}
