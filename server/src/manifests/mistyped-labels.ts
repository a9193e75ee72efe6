/** Finds labels and annotations of an object that are no strings, for which the API server rejects the object. */

import { isBuiltIn } from '../engine/catalogue/built-in-groups.ts';
import type { LabelEntry, ManifestObject } from './model.ts';

/** Returns the first label, annotation or required label that is certainly a boolean or a number; undefined if there is none. */
export function mistypedLabel({ group, labelSites, selectorSites }: ManifestObject): LabelEntry | undefined {
  // The API server knows the fields of built-in kinds, and the metadata of every kind.
  const isKnown = isBuiltIn(group);
  const maps = labelSites.filter(({ path, place }) => path === `metadata.${place.holds}` || (isKnown && place.of));
  const selectors = isKnown ? selectorSites.filter(({ fact }) => fact.plain) : [];
  for (const { entries } of [...maps, ...selectors]) {
    const last = new Map(entries.map((entry) => [entry.key.text, entry]));
    for (const entry of last.values()) if (isMistyped(entry)) return entry;
  }
  return undefined;
}

function isMistyped({ key, value, conditional }: LabelEntry): boolean {
  if (conditional || typeof key.value !== 'string') return false;
  return (value.type === 'boolean' || value.type === 'number') && typeof value.value === 'string';
}
