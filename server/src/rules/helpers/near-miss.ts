/** Determines how a selector differs from an object that it almost matches (a near miss). */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { evaluate, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';
import { type Misspelling, misspelling } from '../../text/misspelling.ts';
import type { LabeledObjectInFile } from '../../workspace/model.ts';
import { maximumCorrected } from '../../workspace/selection/near-misses.ts';
import { isPositive } from '../fixes/fit-selector.ts';

export interface NearMiss {
  readonly miss: LabeledObjectInFile;
  /**
   * `letters`: one key or value differs by a few characters. `own labels`: the labels are on the workload but not on
   * its template. `place`: all labels match, but the object is in a different namespace. `pods`: the labels are on the
   * pods of a Service but not on the Service. `annotations`: the labels are annotations.
   */
  readonly by: 'letters' | 'own labels' | 'place' | 'pods' | 'annotations' | 'more';
  /** The requirements that fail. */
  readonly failed: readonly Requirement[];
  /**
   * For a near miss by letters, the word that the requirement should contain, and the likelihood that it was intended.
   */
  readonly correction?: Correction;
}

/** A misspelled word of a requirement, and the word that would match. */
export interface Correction {
  readonly of: 'key' | 'value';
  readonly wanted: string;
  readonly actual: string;
  readonly likeness: Misspelling;
}

/** Returns the difference between a selector and labels that it does not match, or that it would match only in a different namespace. */
export function nearMissOf(selector: Selector, miss: LabeledObjectInFile): NearMiss {
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  const labels = { labels: miss.labeledObject.labels, open: miss.labeledObject.open };
  const failed = requirements.filter((each) => evaluate({ kind: 'all', requirements: [each] }, labels) === 'no');
  if (failed.length === 0) return { miss, by: 'place', failed };
  const own = knownLabels(miss.object.labels?.entries ?? [], miss.object.labels?.open ?? false);
  if (miss.labeledObject.via !== undefined && evaluate(selector, own) === 'yes')
    return { miss, by: 'own labels', failed };
  const [only, ...others] = failed;
  const correction = only === undefined || others.length > 0 ? undefined : correctionOf(only, labels);
  return correction === undefined ? { miss, by: 'more', failed } : { miss, by: 'letters', failed, correction };
}

/** Returns the word of a requirement that differs by a few letters from a label; undefined if there is not exactly one such word. */
export function correctionOf(requirement: Requirement, { labels }: Pick<LabelSet, 'labels'>): Correction | undefined {
  const { key, operator, values } = requirement;
  if (operator === 'exists') return Object.hasOwn(labels, key) ? undefined : best(Object.keys(labels).map(keyFor(key)));
  if (!isPositive(operator) || values.length > maximumCorrected) return undefined;
  const wanted = values.filter((value) => typeof value === 'string');
  if (!Object.hasOwn(labels, key)) {
    const alike = Object.keys(labels).filter((each) =>
      wanted.some((value) => (isTelling(value) || each === nameLabel) && value === labels[each]),
    );
    return best(alike.map(keyFor(key)));
  }
  const actual = labels[key];
  if (typeof actual !== 'string') return undefined;
  return best(
    wanted.map((each): Correction | undefined => {
      const likeness = misspelling(each, actual);
      if (likeness === undefined || (isVariantKey(key) && likeness !== 'evident')) return undefined;
      return { of: 'value', wanted: each, actual, likeness };
    }),
  );
}

function keyFor(wanted: string): (actual: string) => Correction | undefined {
  return (actual) => {
    const likeness = actual === nameLabel && namespaceKeys.has(wanted) ? 'evident' : misspelling(wanted, actual);
    return likeness && { of: 'key', wanted, actual, likeness };
  };
}

/** Keys that are often confused with the label that contains the name of a namespace. */
const namespaceKeys: ReadonlySet<string> = new Set(['name', 'namespace', 'metadata.name', 'kubernetes.io/name']);

/** Whether it is significant that two keys have this value. `true` and `1` are not, since they are values of many keys. */
function isTelling(value: string): boolean {
  return value.length > 2 && !/^(?:true|false|yes|no|\d+|enabled|disabled)$/i.test(value);
}

/** Returns the only candidate, or the only candidate with the highest certainty. */
function best(found: readonly (Correction | undefined)[]): Correction | undefined {
  const all = found.filter((each) => each !== undefined);
  for (const likeness of ['evident', 'likely', 'possible']) {
    const [only, ...others] = all.filter((each) => each.likeness === likeness);
    if (only !== undefined) return others.length === 0 ? only : undefined;
  }
  return undefined;
}

/** Whether the values of a key distinguish variants of one application, so that a different value is probably missing rather than misspelled. */
function isVariantKey(key: string): boolean {
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
