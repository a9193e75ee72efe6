/** Finds misspelled fields of label selectors, such as `matchLabel`. */

import type { SelectorSite } from '../../manifests/model.ts';
import { misspelling } from '../../text/misspelling.ts';

const selectorFields = ['matchLabels', 'matchExpressions'];

/** Whether a label selector is a map that contains only unknown fields. */
export function isWithoutFields({ fact, data }: SelectorSite): boolean {
  if (fact.form !== 'labelSelector' || typeof data !== 'object' || data === null) return false;
  const keys = Object.keys(data);
  return keys.length > 0 && keys.every((key) => !selectorFields.includes(key));
}

export function misspelledFields({ data }: SelectorSite): readonly string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  return Object.keys(data).filter((key) => nearSelectorField(key) !== undefined);
}

/** Returns the field of label selectors that was probably intended by a misspelled word; undefined if there is none. */
export function nearSelectorField(word: string): string | undefined {
  return selectorFields.find((field) => {
    const how = misspelling(field, word);
    return how === 'evident' || how === 'likely';
  });
}
