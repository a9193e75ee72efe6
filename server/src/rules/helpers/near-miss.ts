/** Determines how a selector differs from an object that it almost matches (the near miss). */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { evaluate, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { haveSimilarLetters, type Misspelling, misspelling, slightDifference } from '../../text/misspelling.ts';
import type { LabeledObjectInFile } from '../../workspace/model.ts';
import { isExcluded, maximumCorrected } from '../../workspace/selection/near-misses.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { objectNameOf, shorten } from './sentences.ts';

export interface NearMiss {
  readonly miss: LabeledObjectInFile;
  /**
   * The kind of difference. `letters`: one key or value differs in a few characters. `own labels`: the labels are on
   * the workload instead of its template. `place`: all labels match, but the object is in a different namespace.
   * `pods`: the labels are on the pods of a Service instead of the Service. `annotations`: the object has annotations
   * instead of labels.
   */
  readonly by: 'letters' | 'own labels' | 'place' | 'pods' | 'annotations' | 'more';
  /** The requirements of the selector that the object does not satisfy. */
  readonly failed: readonly Requirement[];
  /**
   * If the difference is a few letters, the word that the requirement should contain, and the likelihood that this word
   * was intended.
   */
  readonly correction?: Correction;
}

/** A misspelled key or value in a requirement, and the key or value that would match. */
export interface Correction {
  readonly of: 'key' | 'value';
  readonly wanted: string;
  readonly actual: string;
  /**
   * `variant`: one letter of a short part differs, which usually distinguishes two names, such as `cache-ro` and
   * `cache-rw`, so that the object itself must name the actual word.
   */
  readonly likeness: Misspelling | 'variant';
}

/** Returns the difference between a selector and the labels of an object that it does not match, or that it would match if the object were in its namespace. `labels` are the labels of the object, if they are known without its file. */
export function nearMissOf(
  selector: Selector,
  miss: LabeledObjectInFile,
  labels: LabelSet = { labels: miss.labeledObject.labels, open: miss.labeledObject.open },
): NearMiss {
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  const failed = requirements.filter((each) => evaluate({ kind: 'all', requirements: [each] }, labels) === 'no');
  if (failed.length === 0) return { miss, by: 'place', failed };
  if (isOnMaker(selector, miss) && !isExcluded(selector, labels)) return { miss, by: 'own labels', failed };
  const [only, ...others] = failed;
  const correction = only === undefined || others.length > 0 ? undefined : correctionOf(only, labels);
  return correction === undefined ? { miss, by: 'more', failed } : { miss, by: 'letters', failed, correction };
}

/** Whether the workload of a template has the required labels itself. */
function isOnMaker(selector: Selector, { object, labeledObject }: LabeledObjectInFile): boolean {
  if (labeledObject.via === undefined) return false;
  return evaluate(selector, knownLabels(object.labels?.entries ?? [], object.labels?.open ?? false)) === 'yes';
}

/** Returns the correction of a requirement that differs in a few letters from a label; undefined unless there is exactly one such correction. */
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
      if (!haveSimilarLetters(each, actual)) return undefined;
      const likeness = likenessOf(each, actual);
      if (likeness === undefined || (isVariantKey(key) && !isLetterInside(each, actual, likeness))) return undefined;
      return { of: 'value', wanted: each, actual, likeness };
    }),
  );
}

/** The words that were compared last, because successive objects often have the same label. */
let last: { readonly wanted: string; readonly actual: string; readonly likeness: Correction['likeness'] | undefined };

/** Returns how likely it is that one of two words is a misspelling of the other, including slight differences in short words. */
function likenessOf(wanted: string, actual: string): Correction['likeness'] | undefined {
  if (last?.wanted === wanted && last.actual === actual) return last.likeness;
  const slight = slightDifference(wanted, actual);
  const possible = slight === undefined || slight === 'plural' ? undefined : 'possible';
  last = { wanted, actual, likeness: misspelling(wanted, actual) ?? possible ?? variantOf(wanted, actual) };
  return last.likeness;
}

function keyFor(wanted: string): (actual: string) => Correction | undefined {
  return (actual) => {
    const isNamespace = actual === nameLabel && namespaceKeys.has(wanted);
    // The equal value is evidence that one key was intended, even if the keys are short.
    const likeness = isNamespace
      ? 'evident'
      : (misspelling(wanted, actual) ?? (variantOf(wanted, actual) && 'possible'));
    return likeness && { of: 'key', wanted, actual, likeness };
  };
}

/** Whether two names differ in one letter, or in the order of two letters. */
function variantOf(wanted: string, actual: string): 'variant' | undefined {
  return wanted !== actual && editDistance(wanted, actual, 1) <= 1 ? 'variant' : undefined;
}

/** Keys that are often used by mistake instead of the label with the name of a namespace. */
const namespaceKeys: ReadonlySet<string> = new Set(['name', 'namespace', 'metadata.name', 'kubernetes.io/name']);

/** Whether it is significant that two keys have the same value. Values such as `true` and `1` are not significant, because many keys have them. */
function isTelling(value: string): boolean {
  return value.length > 2 && !/^(?:true|false|yes|no|\d+|enabled|disabled)$/i.test(value);
}

/** Returns the only correction with the greatest likelihood; undefined if there is none, or if several are equally likely. */
function best(found: readonly (Correction | undefined)[]): Correction | undefined {
  const all = found.filter((each) => each !== undefined);
  for (const likeness of ['evident', 'likely', 'possible', 'variant']) {
    const [only, ...others] = all.filter((each) => each.likeness === likeness);
    if (only !== undefined) return others.length === 0 ? only : undefined;
  }
  return undefined;
}

/** Whether two long words differ inside, so that they are no variants: variants have other words, or other endings. */
function isLetterInside(wanted: string, actual: string, likeness: Correction['likeness']): boolean {
  const isExtended = wanted.startsWith(actual) || actual.startsWith(wanted);
  return likeness === 'evident' || (likeness === 'likely' && !isExtended);
}

/** Whether the values of a key distinguish variants of the same application. A different value is then probably a missing variant rather than a misspelling. */
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

/** Returns the kind and name of a missed object. The labels of a namespace may be in the Application that creates it. */
export function missedName({ object, labeledObject: { target } }: LabeledObjectInFile): string {
  const created = target.kind === object.kind ? undefined : nodeAt(object.gitopsSpec, 'destination', 'namespace');
  return created?.kind === 'scalar' ? `${target.kind}/${shorten(created.text)}` : objectNameOf(object);
}
