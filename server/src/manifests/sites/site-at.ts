/** Finds the selector of an object by its path, also among the thousands of peers of a policy. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../model.ts';

const byPath = new WeakMap<readonly SelectorSite[], ReadonlyMap<string, SelectorSite>>();

/** Returns the first selector at a path. */
export function selectorAt(sites: readonly SelectorSite[], path: string): SelectorSite | undefined {
  if (sites.length < 10) return sites.find((site) => site.path === path);
  // The first of several sites with one path remains in the map.
  return getOrAdd(byPath, sites, () => new Map(sites.toReversed().map((site) => [site.path, site]))).get(path);
}

/** Returns a written selector in a version of its object; undefined if the version lacks it. Values of a chart and patches can move the items of lists to other indexes. */
export function versionOfSite(
  sites: readonly SelectorSite[],
  site: SelectorSite,
  written: readonly SelectorSite[],
): SelectorSite | undefined {
  const found = selectorAt(sites, site.path);
  if (found?.keySpan.start === site.keySpan.start || !site.path.includes('[')) return found;
  const isVersionOf = (each: SelectorSite) => (other: SelectorSite) =>
    other.keySpan.start === each.keySpan.start && fieldOf(other) === fieldOf(each);
  return sites.find(isVersionOf(site)) ?? (found && written.some(isVersionOf(found)) ? undefined : found);
}

function fieldOf({ path }: SelectorSite): string {
  return path.replace(/\[\d+\]/g, '[]');
}
