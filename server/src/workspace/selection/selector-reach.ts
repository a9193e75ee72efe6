/** Determines the namespaces in which a selector selects objects, for selectors that name them among their requirements. */

import type { Reach } from '../../engine/catalogue/types.ts';
import { placedSelector } from '../../engine/cilium/own-requirements.ts';
import type { SelectorSite } from '../../manifests/model.ts';

/** Returns the namespaces to which a selector applies. A peer of Cilium names namespaces in its own requirements, or is limited to the namespace of its policy. */
export function reachOf({ fact, path, data }: SelectorSite): Reach {
  if (fact.language !== 'cilium' || fact.reach !== 'own' || !path.endsWith(']')) return fact.reach;
  return placedSelector(data ?? {}, 'peer', false)?.isInOwnNamespace === false ? 'all' : 'own';
}
