/** Lists the label keys on which findings about the selectors of an object depend. */

import type { ManifestObject } from '../../manifests/model.ts';

export function keysInSelectors({ selectorSites }: Pick<ManifestObject, 'selectorSites'>): readonly string[] {
  return selectorSites.flatMap(({ selector }) =>
    selector?.ok && selector.value.kind === 'all' ? selector.value.requirements.map(({ key }) => key) : [],
  );
}
