/** Decides whether a selector applies only to the namespace of its own object, or to one that is named next to it. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Requirement, Value } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import type { ObjectInFile } from '../model.ts';
import { effectiveSelector } from './effective-selector.ts';
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

/** Returns the only namespace that the fields next to a selector name; undefined if they name none or several. */
export function namedNamespaceOf(object: ManifestObject, site: SelectorSite): string | undefined {
  const { namespaces } = site;
  const beside = namespaceSelectorOf(object, site);
  if (namespaces !== undefined && (namespaces.any !== false || namespaces.open)) return undefined;
  const isListed = namespaces !== undefined && namespaces.names.length > 0;
  if (isListed && beside !== undefined) return undefined;
  const names = isListed ? namespaces.names : requiredNames(beside);
  const [only, ...others] = new Set(names);
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

/** Returns the values of the first requirement on the label with the name of a namespace. */
function requiredNames(beside: SelectorSite | undefined): readonly Value[] {
  const selector = beside && effectiveSelector(beside);
  const requirements = selector?.kind === 'all' && selector.open !== true ? selector.requirements : [];
  const isEquality = ({ key, operator }: Requirement) => key === nameLabel && ['=', '==', 'in'].includes(operator);
  return requirements.find(isEquality)?.values ?? [];
}
