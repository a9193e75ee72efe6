/** The objects that refer to an object by its name, as the overlay of the perspective or the values of a chart apply them. */

import { memoized } from '../../engine/memoize.ts';
import { appliedVersions, versionsOf } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Rendering } from '../../workspace/model.ts';
import {
  type AppliedTarget,
  asApplied,
  patchedInScope,
  referencesInScope,
} from '../../workspace/references/applied-references.ts';
import type { ReferenceInFile } from '../../workspace/references/model.ts';
import { hasDefaultValues, type Scope } from '../../workspace/scopes/model.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { objectKey } from '../locations.ts';
import { differencesOf, type OverlayDifferences } from '../selected/overlay-differences.ts';
import type { View } from '../view.ts';
import { type NamedTarget, referencesOf } from './name-at.ts';

export interface Users {
  /** The references in the overlay of the perspective, and those elsewhere. */
  readonly users: readonly ReferenceInFile[];
  /** The references that the default values of a chart do not create. */
  readonly otherValues: readonly ReferenceInFile[];
  /** The differences between overlays. */
  readonly differences: () => OverlayDifferences;
}

/** Returns the references to a target, the nearest first, without references in patches, because a patch is not an object. */
export function usersOf(view: View, target: NamedTarget): Users {
  const scopes = view.workspace.scopes();
  const written = referencesOf(view, target).filter(({ file }) => !scopes.isPatch(file.uri));
  const versions = versionsOfTarget(view, target);
  const [lead] = versions;
  if (lead === undefined) return { users: written, otherValues: [], differences: () => ({ suffix: '', lines: [] }) };
  const isBuilt = (each: ReferenceInFile) =>
    each.relation === 'here' &&
    each.object.forCluster &&
    scopes.of(placeOf(each)).some((scope) => versions.some((version) => version.scope === scope));
  const built = written.filter(isBuilt);
  const usersIn = memoized((version: Version) => usersInScope(view, version, built));
  const users = usersIn(lead);
  const found = new Set([...users.values()].map(objectKey));
  const otherValues = hasDefaultValues(lead.scope) ? built.filter((each) => !found.has(objectKey(each))) : [];
  return {
    users: [...users.values(), ...written.filter((each) => !isBuilt(each))],
    otherValues,
    differences: () => differencesOf(new Map(versions.map((version) => [version.scope, usersIn(version)]))),
  };
}

/** A scope that builds a target, with the results. */
interface Version {
  readonly scope: Scope;
  readonly rendering: Rendering;
  readonly targets: readonly AppliedTarget[];
}

/** Returns an object as each scope builds it, with the scope of the perspective first. */
function versionsOfTarget({ workspace, catalogue, perspective }: View, target: NamedTarget): readonly Version[] {
  const { object, file, is } = target;
  if (object === undefined || is !== 'object') return [];
  const versions = appliedVersions(workspace, catalogue, file.uri).flatMap((version) => {
    const targets = versionsOf(version, object).map((each) => ({
      ...each,
      workspace: version.workspace,
      builtBy: version.scope,
    }));
    return targets.length === 0 ? [] : [{ scope: version.scope, rendering: version.rendering, targets }];
  });
  return leadFirst(versions, perspective);
}

/** Returns the references of one scope by their objects and paths. */
function usersInScope(
  { catalogue }: View,
  { rendering, targets }: Version,
  written: readonly ReferenceInFile[],
): ReadonlyMap<string, ReferenceInFile> {
  const found = new Map<string, ReferenceInFile>();
  const keyOf = (each: ObjectInFile & Pick<ReferenceInFile, 'site'>) => `${objectKey(each)} ${each.site.path}`;
  for (const target of targets) {
    const references = [
      ...written.flatMap((each) => asApplied(target, catalogue, each)),
      ...referencesInScope(target, catalogue, rendering),
      ...patchedInScope(target, catalogue, rendering),
    ];
    for (const each of references) if (!found.has(keyOf(each))) found.set(keyOf(each), each);
  }
  return found;
}
