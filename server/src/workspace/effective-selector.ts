/** Which selector will the cluster use? Null and empty ones mean what the catalogue says of their field. */

import type { Meaning } from '../engine/catalogue/types.ts';
import type { Selector } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';

/** What a null or empty selector means at its place. */
export function meaningOf(site: SelectorSite): Meaning {
  const stated = site.state === 'null' ? site.fact.null : site.fact.empty;
  return stated === 'sameAsAbsent' ? site.fact.absent : stated;
}

/** Undefined where the selector cannot be read, or is no label selector. */
export function effectiveSelector(site: SelectorSite): Selector | undefined {
  if (site.selector === undefined) return undefined;
  if (site.state === 'present') return site.selector.ok ? site.selector.value : undefined;
  const meaning = meaningOf(site);
  if (meaning === 'nothing' || meaning === 'invalid') return { kind: 'nothing' };
  return { kind: 'everything' };
}
