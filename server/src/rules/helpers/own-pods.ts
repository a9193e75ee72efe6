/** Finds the pods that a field of a pod, or of a pod template, applies to. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject } from '../../manifests/model.ts';

/** The pods of the innermost template around a path, otherwise the object itself, if they are of one of the kinds. */
export function ownPods(object: ManifestObject, path: string, kinds: readonly GroupKind[]): LabeledObject | undefined {
  const isTarget = ({ target }: LabeledObject) =>
    kinds.some(({ group, kind }) => group === target.group && kind === target.kind);
  const around = labeledObjectsOf(object).filter(
    (labeledObject) =>
      isTarget(labeledObject) && (labeledObject.via === undefined || path.startsWith(`${labeledObject.via}.`)),
  );
  return around.toSorted((a, b) => (b.via?.length ?? 0) - (a.via?.length ?? 0))[0];
}
