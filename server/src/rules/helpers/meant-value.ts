/** Determines the known value of a well-known label or annotation that was probably intended. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';

/** Returns the only known value of the key that the written value resembles; undefined if the value is known, or resembles none or several. */
export function meantValue(
  { key, value, conditional }: LabelEntry,
  as: 'label' | 'annotation',
  catalogue: Catalogue,
): string | undefined {
  if (typeof key.value !== 'string' || typeof value.value !== 'string' || value.type !== 'string') return undefined;
  if (conditional || value.origin !== undefined) return undefined;
  const fact = catalogue.key(key.text, as);
  // People choose the values of keys without a prefix that belong to no kind, such as `tier`.
  if (fact?.values === undefined || (!key.text.includes('/') && fact.kinds.length === 0)) return undefined;
  const written = value.text;
  // Some programs ignore the case.
  if (fact.values.some((each) => each.toLowerCase() === written.toLowerCase())) return undefined;
  const [meant, ...others] = fact.values.filter((each) => isLikelyMisspelling(each, written));
  return others.length === 0 ? meant : undefined;
}
