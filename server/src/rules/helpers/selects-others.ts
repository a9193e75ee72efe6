/** Distinguishes selectors of other objects from those of workloads over their own pods, which have separate rules. */

import type { SelectorSite } from '../../manifests/model.ts';

/** Whether a selector selects other objects than the pods of its own object. */
export function selectsOthers({ fact, state }: SelectorSite): boolean {
  return (
    fact.plain &&
    state === 'present' &&
    fact.targets.length > 0 &&
    fact.filledFrom === undefined &&
    fact.templateLabelsAt === undefined
  );
}
