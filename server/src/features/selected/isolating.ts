/** Tells the selectors of policies that isolate pods from other selectors. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { selectsInOwnNamespace } from '../../workspace/selection/own-namespace.ts';
import type { SelectingObject } from '../../workspace/selection/selecting-objects.ts';

/** Whether a selector isolates pods, like the `podSelector` of a NetworkPolicy: it selects in its own namespace, and its kind also has peers, which can select in other namespaces. Kinds with pod templates can have such peers too, but they do not isolate pods. */
export function isolates(catalogue: Catalogue, { object, site }: SelectingObject): boolean {
  const fact = catalogue.kind(object.group, object.version, object.kind);
  if (
    fact === undefined ||
    fact.templates.length > 0 ||
    site.path.includes('[') ||
    !selectsInOwnNamespace(object, site)
  )
    return false;
  return fact.selectors.some(
    ({ path, reach }) => path.includes('[]') && typeof reach !== 'string' && reach.namespaceSelectorAt !== undefined,
  );
}
