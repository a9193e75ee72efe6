/** Corrects the parts of taints and tolerations. */

import { taintEffects, tolerationOperators } from '../../engine/index.ts';
import { editDistance } from '../../text/edit-distance.ts';

/** Returns the effect or the operator that was probably intended instead of an invalid one. */
export function correctTaintWord(field: string, text: string): string | undefined {
  if (field === 'effect') return oneNear(text, taintEffects);
  return synonyms.get(text.toLowerCase()) ?? oneNear(text, tolerationOperators.slice(0, 2));
}

const synonyms: ReadonlyMap<string, string> = new Map([
  ['=', 'Equal'],
  ['==', 'Equal'],
  ['eq', 'Equal'],
]);

/** Returns the only word that differs in the case of letters, or by up to two of them, or that begins with an abbreviation. */
function oneNear(text: string, words: readonly string[]): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[-_ ]/g, '');
  const near = words.filter((word) => editDistance(plain, word.toLowerCase(), 2) <= 2);
  const found =
    near.length > 0 || plain.length < 4 ? near : words.filter((word) => word.toLowerCase().startsWith(plain));
  return found.length === 1 ? found[0] : undefined;
}
