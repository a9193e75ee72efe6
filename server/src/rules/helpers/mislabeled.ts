/** Determines whether a label, instead of the selector that almost matches it, is misspelled. */

import type { LabelSet, Requirement } from '../../engine/index.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { type Correction, correctionOf } from './near-miss.ts';
import { isMisnamed } from './unique-near-miss.ts';

/** Whether a label of an object is misspelled and the requirement that it does not satisfy is not: the name of the object or other labels contain the word that the selector requires, and no other object has the label. */
export function isMislabeled(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  requirement: Requirement,
  labels: LabelSet,
): boolean {
  const difference = differenceIn(requirement, labels);
  if (difference === undefined) return false;
  const { of, wanted, actual } = difference;
  const labeledBy = (word: string) =>
    (of === 'key' ? workspace.carrying(word) : workspace.carrying(requirement.key, word)).flatMap(({ files }) => files);
  const isOther = (uri: string, index: number) =>
    uri !== file.uri || file.manifest.objects[index]?.name?.text !== object.name?.text;
  if (labeledBy(actual).some(({ uri, ids }) => ids.some((id) => isOther(uri, id.object)))) return false;
  return isMisnamed(object, difference) || labeledBy(wanted).length > 0;
}

/** Returns the words in which a requirement and a label differ by a misspelling. Unlike a near miss, this includes values that distinguish variants, such as `canary`. */
function differenceIn(requirement: Requirement, { labels }: LabelSet): Omit<Correction, 'likeness'> | undefined {
  const { key, values } = requirement;
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const [wanted] = values;
  if (typeof actual !== 'string' || typeof wanted !== 'string') return correctionOf(requirement, { labels });
  return misspelling(wanted, actual) && { of: 'value', wanted, actual };
}
