/** Determines the principal selector of an object: the selector that serves the main purpose of the object. */

import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';

/** Returns the selector that is nearest to the root of the object, without selectors in lists; undefined if none can be parsed. */
export function principalSite({ selectorSites }: ManifestObject): SelectorSite | undefined {
  const depth = ({ path }: SelectorSite) => path.split('.').length;
  const candidates = selectorSites.filter(
    (site) => !site.path.includes('[') && site.fact.targets.length > 0 && alternativesOf(site).length > 0,
  );
  return candidates.toSorted((a, b) => depth(a) - depth(b) || a.keySpan.start - b.keySpan.start)[0];
}
