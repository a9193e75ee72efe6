/** Determines which objects affect the reachability model of a cluster, and the pods that objects create. */

import { memoized } from '../../engine/memoize.ts';
import { hasAddresses } from '../../manifests/kinds/address-fields.ts';
import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject } from '../../manifests/model.ts';
import { isOtherPolicy } from './other-policies.ts';

/** Whether an object may affect the reachability model of its cluster. */
export function concernsNetwork(object: ManifestObject): boolean {
  if (object.group === '' && object.kind === 'Namespace') return true;
  const { policySpec, servicePorts, meshRoots } = object;
  if (policySpec !== undefined || servicePorts !== undefined || meshRoots !== undefined) return true;
  if (object.networkSpec !== undefined || object.installedSettings !== undefined) return true;
  if (isOtherPolicy(object) || isServiceAccount(object) || hasAddresses(object)) return true;
  return allPods(object).length > 0;
}

/** Returns the pods of an object whose labels are known: the object itself, or the pods that its templates create. */
export const labeledPods = memoized((object: ManifestObject): readonly LabeledObject[] =>
  allPods(object).filter(({ guessed }) => !guessed),
);

/** Returns the pods that a controller creates for an object with labels of its own, which are not evaluated as ends of connections. */
export function guessedPods(object: ManifestObject): readonly LabeledObject[] {
  return allPods(object).filter(({ guessed }) => guessed);
}

const allPods = memoized((object: ManifestObject): readonly LabeledObject[] => {
  if (object.group === '' && object.kind === 'Pod') return labeledObjectsOf(object).slice(0, 1);
  // Only custom controllers use a PodTemplate.
  if (object.templates.length === 0 || (object.group === '' && object.kind === 'PodTemplate')) return none;
  return labeledObjectsOf(object).filter((each) => each.via !== undefined && areOfPod(each));
});

const none: readonly LabeledObject[] = [];

export function isServiceAccount({ group, kind }: ManifestObject): boolean {
  return group === '' && kind === 'ServiceAccount';
}
