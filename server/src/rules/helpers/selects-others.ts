/**
 * Distinguishes selectors of other objects from those of workloads over their own pods, which have rules of their own.
 */

import type { SelectorSite } from '../../manifests/model.ts';

export function selectsOthers({ fact, state }: SelectorSite): boolean {
  return (
    fact.plain &&
    state === 'present' &&
    fact.targets.length > 0 &&
    fact.filledFrom === undefined &&
    fact.templateLabelsAt === undefined
  );
}
