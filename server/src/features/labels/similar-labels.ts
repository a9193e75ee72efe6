/** Finds label keys, and values of one key, that are probably meant to be the same. */

import { getOrAdd } from '../../engine/memoize.ts';
import { folded, haveSimilarLetters, isLikelyMisspelling, numbersIn } from '../../text/misspelling.ts';
import type { KeyRow, Similar, ValueRow } from './label-table.ts';

/** Keys that people use for the same purpose. */
const sameMeaning: readonly (readonly string[])[] = [
  ['team', 'owner', 'squad'],
  ['env', 'environment', 'stage'],
  ['app', 'application', 'k8s-app', 'app.kubernetes.io/name'],
  ['release', 'app.kubernetes.io/instance'],
  ['heritage', 'app.kubernetes.io/managed-by'],
  ['chart', 'helm.sh/chart'],
  ['version', 'app.kubernetes.io/version'],
  ['component', 'app.kubernetes.io/component'],
  ['part-of', 'system', 'app.kubernetes.io/part-of'],
];

const meaningOf: ReadonlyMap<string, number> = new Map(
  sameMeaning.flatMap((keys, index) => keys.map((key) => [key, index] as const)),
);

/** The maximum number of keys, and of values of one key, that are compared with each other. */
const mostCompared = 1_000;

/** Returns the pairs of keys, and of values of one key, that are probably meant to be the same. */
export function similarLabels(keys: readonly KeyRow[]): readonly Similar[] {
  return [...similarKeys(keys), ...keys.flatMap(similarValues)];
}

function similarKeys(rows: readonly KeyRow[]): readonly Similar[] {
  const compared = rows.slice(0, mostCompared);
  return pairs(compared).flatMap(([one, other]): readonly Similar[] => {
    const reason = sameKeys(one.key, other.key);
    if (reason === undefined) return [];
    return [{ names: [one.key, other.key], counts: [usersOf(one), usersOf(other)], reason }];
  });
}

function sameKeys(a: string, b: string): Similar['reason'] | undefined {
  const [one, other] = [a, b].map(partsOf);
  if (one === undefined || other === undefined) return undefined;
  if (one.prefix === other.prefix && isLikelyMisspelling(one.name, other.name)) return 'spelling';
  const [meaning, otherMeaning] = [meaningOf.get(a), meaningOf.get(b)];
  if (meaning !== undefined && meaning === otherMeaning) return 'meaning';
  // Keys with the prefix of a tool have the meaning that the tool gives them.
  return folded(one.name) === folded(other.name) &&
    (one.prefix === '') !== (other.prefix === '') &&
    isOwn(a) &&
    isOwn(b)
    ? 'prefix'
    : undefined;
}

function partsOf(key: string): { readonly prefix: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { prefix: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}

/** Whether a key has no prefix that Kubernetes or a tool defines. */
function isOwn(key: string): boolean {
  return !/(?:^|\.)(?:kubernetes\.io|k8s\.io)\//.test(key);
}

function similarValues({ key, values }: KeyRow): readonly Similar[] {
  const known = values.filter(({ value }) => value !== '').slice(0, mostCompared);
  // Values with different numbers are different on purpose.
  const groups = new Map<string, ValueRow[]>();
  for (const row of known) getOrAdd(groups, numbersIn(row.value), () => []).push(row);
  return [...groups.values()].flatMap(pairs).flatMap(([one, other]): readonly Similar[] => {
    if (!haveSimilarLetters(one.value, other.value) || !isLikelyMisspelling(one.value, other.value)) return [];
    return [
      {
        key,
        names: [one.value, other.value],
        counts: [one.objects + one.pods, other.objects + other.pods],
        reason: 'spelling',
      },
    ];
  });
}

function usersOf({ objects, pods }: KeyRow): number {
  return objects + pods;
}

function pairs<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));
}
