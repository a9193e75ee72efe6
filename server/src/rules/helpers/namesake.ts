/** Finds the workload with the name of the object that contains a selector: a Service and its workload usually have one name. */

import { evaluateRequirement, type Selector } from '../../engine/index.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { RankedCandidate } from '../../workspace/selection/selection.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import type { NearMiss } from './near-miss.ts';

/** Returns the only workload around a selector that has the name of its object and all keys that the selector requires, but not the values; undefined if there is no such workload, or more than one. */
export function namesakeOf(
  { object }: ObjectInFile,
  selector: Selector,
  around: readonly RankedCandidate[],
): NearMiss | undefined {
  const name = object.name?.value;
  if (selector.kind !== 'all' || typeof name !== 'string') return undefined;
  const { requirements } = selector;
  const [only, ...others] = around.filter(({ candidate, place }) => {
    const { labels, open } = candidate.labelSet;
    if (candidate.object.name?.value !== name || candidate.labeledObject.via === undefined || open) return false;
    const hasKeys = requirements.every(
      ({ key, operator }) => isPositive(operator) && typeof labels[key] === 'string' && Object.hasOwn(labels, key),
    );
    return hasKeys && place().answer === 'yes';
  });
  if (only === undefined || others.length > 0) return undefined;
  const failed = requirements.filter((each) => evaluateRequirement(each, only.candidate.labelSet) === 'no');
  return failed.length === 0 ? undefined : { miss: only.candidate, by: 'more', failed };
}
