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
