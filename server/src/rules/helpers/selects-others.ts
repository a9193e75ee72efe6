/** Distinguishes selectors of other objects from selectors that workloads use to find their own pods, which are checked by separate rules. */

import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';

/** Whether a selector selects other objects than the pods that its own object creates. */
export function selectsOthers(site: SelectorSite): boolean {
  const { fact, state } = site;
  return (
    (fact.plain || fact.language !== undefined || isPlainOfNamespaces(site)) &&
    state === 'present' &&
    fact.targets.length > 0 &&
    fact.filledFrom === undefined &&
    fact.templateLabelsAt === undefined
  );
}

/** Whether a selector of namespaces whose values may contain wildcards has none. */
function isPlainOfNamespaces({ fact, entries }: SelectorSite): boolean {
  return (
    fact.form === 'labelSelector' &&
    fact.targets.every((target) => kindKey(target) === '/Namespace') &&
    entries.every(({ key, value }) => !/[*?]/.test(`${key.text}${value.text}`))
  );
}
