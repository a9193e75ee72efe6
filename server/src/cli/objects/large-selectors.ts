/** States which selectors are too large to be evaluated. */

import type { ManifestObject } from '../../manifests/model.ts';
import { isTooLarge, maximumSelectorSize } from '../../manifests/sites/sites.ts';
import { objectNameOf } from '../../rules/helpers/sentences.ts';
import { listedNames } from '../output/names.ts';

/** Returns a sentence about the objects whose selectors are too large to be evaluated; none if there are no such objects. */
export function largeSelectors(objects: Iterable<ManifestObject>): readonly string[] {
  const names = new Set<string>();
  for (const object of objects) if (object.selectorSites.some(isTooLarge)) names.add(objectNameOf(object));
  if (names.size === 0) return [];
  const limit = maximumSelectorSize.toLocaleString('en-US');
  return [`Selectors with more than ${limit} keys, values and lists are not evaluated: ${listedNames([...names])}.`];
}
