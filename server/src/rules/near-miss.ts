/** What separates a selector from what it misses by little? */

import { evaluate, type Requirement, type Selector } from '../engine/index.ts';
import { knownLabels } from '../manifests/sites.ts';
import { editDistance } from '../text/edit-distance.ts';
import type { CarrierInFile } from '../workspace/workspace.ts';
import { isPositive } from './fit-selector.ts';

export interface NearMiss {
  readonly miss: CarrierInFile;
  /**
   * `letters`: one key or value is a few letters off. `own labels`: the labels are on the workload and not on its
   * template. `place`: all labels are right, and it is in another namespace.
   */
  readonly by: 'letters' | 'own labels' | 'place' | 'more';
  /** The requirements that fail. */
  readonly failed: readonly Requirement[];
}

/** A few letters: so many changes make a typing mistake. */
const fewLetters = 2;
const shortestWord = 5;

export function nearMissOf(selector: Selector, miss: CarrierInFile): NearMiss {
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  const labels = { labels: miss.carrier.labels, open: miss.carrier.open };
  const failed = requirements.filter((each) => evaluate({ kind: 'all', requirements: [each] }, labels) === 'no');
  if (failed.length === 0) return { miss, by: 'place', failed };
  const own = knownLabels(miss.object.labels?.entries ?? [], miss.object.labels?.open ?? false);
  if (miss.carrier.via !== undefined && evaluate(selector, own) === 'yes') return { miss, by: 'own labels', failed };
  const [only, ...others] = failed;
  const isLetters = only !== undefined && others.length === 0 && isFewLettersOff(only, miss.carrier.labels);
  return { miss, by: isLetters ? 'letters' : 'more', failed };
}

/** A word of five letters or more with up to two of them wrong; another number is another thing, not a mistake. */
export function isFewLettersOff(
  { key, operator, values }: Requirement,
  labels: CarrierInFile['carrier']['labels'],
): boolean {
  const [wanted] = values;
  if (!isPositive(operator) || values.length !== 1 || typeof wanted !== 'string') return false;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (value !== undefined) return typeof value === 'string' && areAlike(value, wanted);
  if (wanted.length < shortestWord) return false;
  return Object.keys(labels).some((each) => labels[each] === wanted && areAlike(each, key));
}

function areAlike(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < shortestWord) return false;
  return withoutNumbers(a) !== withoutNumbers(b) && editDistance(a, b, fewLetters) <= fewLetters;
}

function withoutNumbers(text: string): string {
  return text.replace(/[-_.]?\d+/g, '');
}

/** Keys whose values tell variants of one thing apart: of those another one is missing, not misspelt. */
export function isVariantKey(key: string): boolean {
  return variantKeys.has(key.slice(key.lastIndexOf('/') + 1).toLowerCase());
}

const variantKeys: ReadonlySet<string> = new Set([
  'color',
  'colour',
  'track',
  'version',
  'canary',
  'slot',
  'release',
  'env',
  'environment',
  'stage',
  'role',
  'zone',
  'region',
  'shard',
]);
