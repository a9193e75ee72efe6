/** Decides whether a selector applies only to the namespace of its own object. */

import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import type { ObjectInFile } from '../model.ts';
import { reachOf } from './selector-reach.ts';

/** Whether a selector applies only to the namespace of its own object, if the object itself determines that. */
export function selectsInOwnNamespace(object: ManifestObject, site: SelectorSite): boolean {
  const reach = reachOf(site);
  if (typeof reach === 'string') return reach === 'own';
  if (site.namespaces !== undefined || reach.otherwise === 'all' || isUnrestricted({ object }, site)) return false;
  return namespaceSelectorOf(object, site) === undefined;
}

/** Returns the selector of the namespaces in which a selector selects objects; undefined if it is absent. */
export function namespaceSelectorOf(
  { selectorSites }: Pick<ManifestObject, 'selectorSites'>,
  site: SelectorSite,
): SelectorSite | undefined {
  const reach = reachOf(site);
  const paths = typeof reach === 'string' ? [] : [reach.namespaceSelectorAt, reach.wholeNamespacesAt];
  return paths
    .map((path) => path && selectorAt(selectorSites, concretePath(path, site.path)))
    .find((each) => each !== undefined && each !== '');
}

/** Whether an empty selector of Calico is the only selector of its source or destination, which then includes everything. */
export function isUnrestricted(
  { object }: { readonly object: Pick<ManifestObject, 'selectorSites'> },
  { fact, state, path }: SelectorSite,
): boolean {
  if (fact.language !== 'calico' || state !== 'empty' || fact.empty !== 'notFiltered') return false;
  const parent = path.slice(0, path.lastIndexOf('.') + 1);
  return object.selectorSites.every((each) => each.state === 'empty' || !each.path.startsWith(parent));
}

/** Returns the only namespace in which a selector matches objects; undefined if it may match objects of others, or the namespace is unknown. */
export function homeOf({ object }: ObjectInFile, site: SelectorSite): string | undefined {
  const { value } = object.namespace ?? {};
  return typeof value === 'string' && selectsInOwnNamespace(object, site) ? value : undefined;
}
