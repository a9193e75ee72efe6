/** Finds the pods that a field of a pod, or of a pod template, applies to. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { carriersOf } from '../../manifests/label-sets.ts';
import type { Carrier, ManifestObject } from '../../manifests/model.ts';

/** The pods of the innermost template around a path, else the object itself, if they are of one of the kinds. */
export function ownPods(object: ManifestObject, path: string, kinds: readonly GroupKind[]): Carrier | undefined {
  const isTarget = ({ target }: Carrier) =>
    kinds.some(({ group, kind }) => group === target.group && kind === target.kind);
  const around = carriersOf(object).filter(
    (carrier) => isTarget(carrier) && (carrier.via === undefined || path.startsWith(`${carrier.via}.`)),
  );
  return around.toSorted((a, b) => (b.via?.length ?? 0) - (a.via?.length ?? 0))[0];
}
