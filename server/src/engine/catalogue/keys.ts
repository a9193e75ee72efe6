/** Looks up well-known label and annotation keys. */

import { BoundedMap, getOrAdd } from '../memoize.ts';
import { deserializeTexts, KEY_TYPES, type SerializedCatalogue } from './serialized.ts';
import type { KeyFact } from './types.ts';

/** The six labels that Kubernetes recommends for every object, in the order in which completion lists them. */
const RECOMMENDED: readonly string[] = ['name', 'instance', 'version', 'component', 'part-of', 'managed-by'].map(
  (name) => `app.kubernetes.io/${name}`,
);

export interface KeyBook {
  readonly all: readonly KeyFact[];
  find(key: string, as: 'label' | 'annotation'): KeyFact | undefined;
}

/** The maximum number of keys for which the matching pattern is remembered: most files contain the same keys. */
const maximumMatched = 4096;

/** Deserializes the well-known keys. */
export function openKeys(serialized: SerializedCatalogue): KeyBook {
  const all = deserializeTexts(serialized.keys, false)
    .map((line, number) => readKey(line, number, serialized.labeledObjects))
    .sort((a, b) => recommendedRank(a) - recommendedRank(b));
  const patterns = all.filter((fact) => fact.pattern);
  const byPattern = new BoundedMap<string, KeyFact | 'none'>(maximumMatched);
  const matching = (key: string) =>
    getOrAdd(byPattern, key, () => patterns.find((fact) => matchesPattern(fact.key, key)) ?? 'none');
  const exact = new Map<string, KeyFact[]>();
  for (const fact of all) exact.set(fact.key, [...(exact.get(fact.key) ?? []), fact]);
  return {
    all,
    find: (key, as) => {
      const known = exact.get(key);
      if (known === undefined) {
        const fact = matching(key);
        return fact === 'none' ? undefined : fact;
      }
      return (
        known.find((fact) => fact.type === as || fact.type === 'both') ??
        known.find((fact) => fact.type !== 'taint') ??
        known[0]
      );
    },
  };
}

function recommendedRank(fact: KeyFact): number {
  const at = RECOMMENDED.indexOf(fact.key);
  return at < 0 ? RECOMMENDED.length : at;
}

/** Whether `text` matches `pattern`, in which each `*` matches at least one character. Runs in linear time: each part between stars is searched for once, from the end of the previous part. */
export function matchesPattern(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.length > 1 ? (pieces[pieces.length - 1] ?? '') : '';
  if (pieces.length === 1) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at + 1);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length > at && text.endsWith(last);
}

function readKey(line: string, number: number, labeledObjects: readonly string[]): KeyFact {
  const [key = '', type = '', status = '', kinds = '', values = '', replacement = ''] = line.split('\t');
  const isType = (letter: string): letter is keyof typeof KEY_TYPES => letter in KEY_TYPES;
  const letter = type[0] ?? '';
  return {
    key,
    pattern: type.includes('*'),
    type: isType(letter) ? KEY_TYPES[letter] : 'both',
    status: status === '' ? 'stable' : status,
    number,
    kinds: (kinds === '' ? undefined : labeledObjects[Number(kinds)]?.split(',')) ?? [],
    ...(values === '' ? {} : { values: values.split(',') }),
    ...(replacement === '' ? {} : { replacement }),
    ...(type.endsWith('s') ? { valueIs: 'selector' as const } : {}),
    ...(type.endsWith('k') ? { valueIs: 'labelKey' as const } : {}),
  };
}
