/** Distinguishes selectors of other objects from selectors that workloads use to find their own pods, which are checked by separate rules. */

import type { SelectorSite } from '../../manifests/model.ts';

/** Whether a selector selects other objects than the pods that its own object creates. */
export function selectsOthers({ fact, state }: SelectorSite): boolean {
  return (
    (fact.plain || fact.language !== undefined) &&
    state === 'present' &&
    fact.targets.length > 0 &&
    fact.filledFrom === undefined &&
    fact.templateLabelsAt === undefined
  );
}
