/** Determines whether a label, instead of the selector that almost matches it, is misspelled. */

import { type LabelSet, parseSelector, type Requirement } from '../../engine/index.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Candidate, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { type Correction, correctionOf } from './near-miss.ts';
import { isMisnamed } from './unique-near-miss.ts';

/** Whether a label of an object is misspelled and the requirement that it does not satisfy is not: the name of the object or other labels contain the word that the selector requires, and no other pod has the label. */
export function isMislabeled(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  requirement: Requirement,
  labels: LabelSet,
): boolean {
  const difference = differenceIn(requirement, labels);
  if (difference === undefined) return false;
  const { of, wanted, actual } = difference;
  const podsWith = (word: string): readonly Candidate[] => {
    const selector = parseSelector(of === 'key' ? word : `${requirement.key}=${word}`);
    const found = selector.ok ? [...workspace.find('/Pod', selector.value)] : [];
    return found.filter(({ answer }) => answer === 'yes');
  };
  const isOther = (pod: Candidate) => pod.file.uri !== file.uri || pod.object.name?.text !== object.name?.text;
  if (podsWith(actual).some(isOther)) return false;
  return isMisnamed(object, difference) || podsWith(wanted).length > 0;
}

/** Returns the words in which a requirement and a label differ by a misspelling. Unlike a near miss, this includes values that distinguish variants, such as `canary`. */
function differenceIn(requirement: Requirement, { labels }: LabelSet): Omit<Correction, 'likeness'> | undefined {
  const { key, values } = requirement;
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const [wanted] = values;
  if (typeof actual !== 'string' || typeof wanted !== 'string') return correctionOf(requirement, { labels });
  return misspelling(wanted, actual) && { of: 'value', wanted, actual };
}
