/** Determines the principal selector of an object: the selector that serves the main purpose of the object. */

import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';

/** Returns the selector that is nearest to the root of the object, without selectors in lists, or the only selector in the rules of an admission policy; undefined if none can be parsed. */
export function principalSite({ selectorSites }: ManifestObject): SelectorSite | undefined {
  const depth = ({ path }: SelectorSite) => path.split('.').length;
  const candidates = selectorSites.filter(({ fact, path }) => fact.targets.length > 0 && !path.includes('['));
  const found = candidates.filter((site) => alternativesOf(site).length > 0);
  if (found.length > 0) return found.toSorted((a, b) => depth(a) - depth(b) || a.keySpan.start - b.keySpan.start)[0];
  const [only, ...others] = selectorSites.filter(isOfMatch);
  return only !== undefined && others.length === 0 && alternativesOf(only).length > 0 ? only : undefined;
}

/** Whether a selector of objects is in a condition of a rule of Kyverno under which the rule applies. */
function isOfMatch({ fact, path }: SelectorSite): boolean {
  return fact.language === 'rules' && /\.match\./.test(path) && fact.targets.some(({ kind }) => kind === '*');
}
