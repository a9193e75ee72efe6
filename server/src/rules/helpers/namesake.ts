/** Finds the workload with the name of the object that contains a selector: a Service and its workload usually have one name. */

import { evaluateRequirement, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Candidate, ObjectInFile } from '../../workspace/model.ts';
import type { Among, CandidatesAround } from '../../workspace/selection/candidates-around.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { isVariantKey, type NearMiss } from './near-miss.ts';

function knownName({ name }: ManifestObject): string | undefined {
  return typeof name?.value === 'string' ? name.value : undefined;
}

/** Returns the only workload around a selector that has the name of its object and all keys that the selector requires, but not the values; or that has all required labels but one. Undefined if there is no such workload, or more than one. `nameOf` determines which names are compared. */
export function namesakeOf(
  { object }: ObjectInFile,
  selector: Selector,
  around: CandidatesAround,
  nameOf: (object: ManifestObject) => string | undefined = knownName,
): NearMiss | undefined {
  const name = nameOf(object);
  if (selector.kind !== 'all' || name === undefined) return undefined;
  const { requirements } = selector;
  const isNamesake = (candidate: Candidate) => {
    const { labels, open } = candidate.labelSet;
    // The object is tested last, because its file may have to be deserialized.
    if (!candidate.isMade || open || !isMeant(requirements, labels)) return false;
    return nameOf(candidate.object) === name;
  };
  // At most one key is missing, so that one of two keys is present.
  const among: Among = (index) =>
    requirements.slice(0, 2).flatMap(({ key }) => index.madeByNamesakes(nameOf, name, key));
  const [only, ...others] = around.filter(isNamesake, among).filter(({ place }) => place().answer === 'yes');
  if (only === undefined || others.length > 0) return undefined;
  const failed = requirements.filter((each) => evaluateRequirement(each, only.candidate.labelSet) === 'no');
  return failed.length === 0 ? undefined : { miss: only.candidate, by: 'more', failed };
}

/** Whether a selector was intended for labels that it does not match: they have all of its keys, or they lack one key and match the other requirements. */
function isMeant(requirements: readonly Requirement[], labels: LabelSet['labels']): boolean {
  if (!requirements.every(({ operator }) => isPositive(operator))) return false;
  const [lacking, ...others] = requirements.filter(({ key }) => !Object.hasOwn(labels, key));
  const present = requirements.filter((each) => each !== lacking);
  // Equal template expressions on both sides match.
  const isComparable = (each: Requirement) =>
    typeof labels[each.key] === 'string' || evaluateRequirement(each, { labels, open: false }) === 'yes';
  if (!present.every(isComparable) || others.length > 0) return false;
  if (lacking === undefined) return true;
  const isMatched = present.every((each) => evaluateRequirement(each, { labels, open: false }) === 'yes');
  return isMatched && present.length > 0 && !mayBeSetLater(lacking);
}

/** Whether a running program may set a label, for example on the pod that it elects as the leader. */
function mayBeSetLater({ key, values }: Requirement): boolean {
  return (
    isVariantKey(key) ||
    /role|leader|master|primary|active|state|status|ready|enabled|serv/i.test(key) ||
    values.length !== 1 ||
    values.some((value) => typeof value !== 'string' || /^(?:true|false|yes|no|\d+|)$/i.test(value))
  );
}
