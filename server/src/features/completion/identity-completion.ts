/** Completion of the kind, name and other parts of the identity of an object that a kustomization builds. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { IdentityField } from '../../manifests/cursor/kustomization-target.ts';
import { matcherOf } from '../../manifests/go-pattern.ts';
import { objectsBuilt, renderingsWith } from '../../workspace/kustomize/built-objects.ts';
import type { Identity } from '../../workspace/kustomize/resource.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import { type Completing, scalarItem, type TargetOf } from './completion-item.ts';
import type { Completion } from './model.ts';

/** Returns the values that a field has in the objects that match the other fields of a target, the most frequent first. */
export function identityItems(completing: Completing<TargetOf<'identity'>>): readonly Completion[] {
  const { view, place } = completing;
  const objects = objectsBuilt(renderingsWith(view.workspace, view.catalogue, view.file.uri)).map(originalOf);
  const fits = (identity: Identity) =>
    [...place.others].every(([field, pattern]) => matcherOf(pattern)?.(identity[field]) !== false);
  const fitting = objects.filter(fits);
  const byText = new Map<string, Identity[]>();
  for (const each of fitting) getOrAdd(byText, each[place.field], () => []).push(each);
  return [...byText]
    .filter(([text]) => text !== '')
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([label, identities]) =>
      scalarItem(completing, { label, kind: 'value', description: aboutAll(place.field, identities) }),
    );
}

/** Returns the original identity of an object. Targets of patches are compared with this identity, regardless of later renames by other kustomizations. */
function originalOf({ original, object }: EffectiveObject): Identity {
  const { group, version, kind, name, namespace } = object;
  return original ?? { group, version, kind, name: name?.text ?? '', namespace: namespace?.text ?? '' };
}

/** Describes the objects that have a value in a field: by their kinds for the field `name`, otherwise by their number. */
function aboutAll(field: IdentityField, identities: readonly Identity[]): string {
  if (field === 'name') return [...new Set(identities.map(({ kind }) => kind))].join(', ');
  return identities.length === 1 ? '1 object' : `${identities.length} objects`;
}
