/** Decides whether a selector applies only to the namespace of its own object. */

import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import type { ObjectInFile } from '../model.ts';
import { reachOf } from './selector-reach.ts';

/** Whether a selector applies only to the namespace of its own object, if the object itself determines that. */
export function selectsInOwnNamespace(object: ManifestObject, site: SelectorSite): boolean {
  const reach = reachOf(site);
  if (typeof reach === 'string') return reach === 'own';
  if (site.namespaces !== undefined || reach.otherwise === 'all') return false;
  const sibling = reach.namespaceSelectorAt && concretePath(reach.namespaceSelectorAt, site.path);
  return object.selectorSites.every((other) => other.path !== sibling);
}

/** Returns the only namespace in which a selector matches objects; undefined if it may match objects of others, or the namespace is unknown. */
export function homeOf({ object }: ObjectInFile, site: SelectorSite): string | undefined {
  const { value } = object.namespace ?? {};
  return typeof value === 'string' && selectsInOwnNamespace(object, site) ? value : undefined;
}
