/** Finds the pods to which a field in a pod or pod template applies. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject } from '../../manifests/model.ts';

/** Returns the pods of the innermost template that contains a path, or the object itself if the path is not in a template. Only pods and objects of the given kinds are considered; undefined if there are none. */
export function ownPods(object: ManifestObject, path: string, kinds: readonly GroupKind[]): LabeledObject | undefined {
  const isTarget = ({ target }: LabeledObject) =>
    kinds.some(({ group, kind }) => group === target.group && kind === target.kind);
  const around = labeledObjectsOf(object).filter(
    (labeledObject) =>
      isTarget(labeledObject) && (labeledObject.via === undefined || path.startsWith(`${labeledObject.via}.`)),
  );
  return around.toSorted((a, b) => (b.via?.length ?? 0) - (a.via?.length ?? 0))[0];
}
