/** Corrects the parts of taints and tolerations. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isReservedPrefix, taintEffects, tolerationOperators, validateTaint } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { corrections } from './fix-label.ts';

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

/** Returns a taint such as `key=value:NoSchedule` with valid parts; undefined if a part cannot be corrected. */
export function correctTaint(
  taint: Readonly<Record<'key' | 'value' | 'effect', string>>,
  written: string,
): { readonly text: string; readonly preferred: boolean } | undefined {
  const isRemoval = written.endsWith('-');
  const parts = { ...taint };
  let preferred = true;
  for (const { path } of validateTaint(isRemoval && taint.effect === '' ? { ...taint, effect: 'NoSchedule' } : taint)) {
    const field = path?.[0];
    if (field === 'effect') parts.effect = correctTaintWord(field, taint.effect) ?? '';
    else if (field === 'key' || field === 'value') {
      const [corrected] = corrections(field, taint[field]);
      if (corrected === undefined) return undefined;
      parts[field] = corrected.text;
      preferred &&= corrected.preferred;
    }
  }
  const { key, value, effect } = parts;
  if (validateTaint({ key, value, effect: isRemoval ? effect || 'NoSchedule' : effect }).length > 0) return undefined;
  const [equals, colon] = [written.includes('=') ? '=' : '', effect === '' ? '' : ':'];
  const text = `${key}${equals}${value}${colon}${effect}${isRemoval ? '-' : ''}`;
  return { text, preferred };
}

/** Returns the only word that differs in the case of letters, or by up to two of them, or that begins with an abbreviation. */
function oneNear(text: string, words: readonly string[]): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[-_ ]/g, '');
  const near = words.filter((word) => editDistance(plain, word.toLowerCase(), 2) <= 2);
  const found =
    near.length > 0 || plain.length < 4 ? near : words.filter((word) => word.toLowerCase().startsWith(plain));
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the only taint with a reserved prefix that is nearest to an unknown key and differs by at most two letters. */
export function nearestTaint(key: string, catalogue: Catalogue): string | undefined {
  const { keys, taints } = getOrAdd(known, catalogue, knownIn);
  if (!key.includes('/') || keys.has(key)) return undefined;
  for (const distance of [1, 2]) {
    const near = taints.filter((taint) => editDistance(taint, key, distance) <= distance);
    if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  }
  return undefined;
}

const known = new WeakMap<Catalogue, ReturnType<typeof knownIn>>();

/** Returns all keys of a catalogue, and the keys of taints with a reserved prefix. */
function knownIn(catalogue: Catalogue): { readonly keys: ReadonlySet<string>; readonly taints: readonly string[] } {
  const facts = catalogue.keys();
  const taints = facts.filter(({ type, key }) => type === 'taint' && isReservedPrefix(key.slice(0, key.indexOf('/'))));
  return { keys: new Set(facts.map(({ key }) => key)), taints: taints.map(({ key }) => key) };
}
