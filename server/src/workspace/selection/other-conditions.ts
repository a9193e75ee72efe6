/** Decides whether a selector has conditions that are not requirements on the own labels of objects. */

import { splitCalico } from '../../engine/calico/index.ts';
import { isIgnoredLabel } from '../../engine/cilium/label-keys.ts';
import { isDerivedCiliumKey, placedSelector } from '../../engine/cilium/own-requirements.ts';
import { isAddedByIstio } from '../../engine/policies/istio.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { calicoTree } from '../../manifests/sites/sites.ts';

/** Whether the requirements of a selector on labels describe only a part of it: the rest concerns labels that another system derives, or alternatives. */
export function hasOtherConditions({ fact, path, data, state, entries }: SelectorSite): boolean {
  if (state !== 'present') return false;
  switch (fact.language) {
    case 'calico':
      return typeof data === 'string' && splitCalico(calicoTree(path, data)).rest !== undefined;
    case 'cilium': {
      const placed = placedSelector(data, path.endsWith(']') ? 'peer' : 'endpointSelector', fact.reach === 'all');
      return (placed?.selector.requirements ?? []).some(({ key }) => isDerivedCiliumKey(key) || isIgnoredLabel(key));
    }
    case 'istio':
      return entries.some(({ key }) => isAddedByIstio(key.text));
    case 'rules':
      return true;
    default:
      return false;
  }
}
