/** Determines whether a label, instead of the selector that almost matches it, is misspelled. */

import { type LabelSet, parseSelector, type Requirement } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { misspelling } from '../../text/misspelling.ts';
import { selectorWith } from '../../workspace/index/index-entries.ts';
import type { Candidate, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { type Correction, correctionOf } from './near-miss.ts';
import { isMisnamed } from './unique-near-miss.ts';

/** The selector that contains a requirement, and its file. */
interface SelectorPlace {
  readonly uri: string;
  readonly site: Pick<SelectorSite, 'span'>;
}

/** Whether a label of an object is wrong and the requirement that it does not satisfy is not: other selectors also require the value and none requires that of the label; or the label is misspelled, the name of the object or other labels contain the word that the selector requires, and no other pod has the label. */
export function isMislabeled(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  requirement: Requirement,
  labels: LabelSet,
  owner: SelectorPlace,
): boolean {
  if (isWantedByOthers(workspace, { file, object }, requirement, labels, owner)) return true;
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

/** Whether other selectors in the scope of an object match its pods only with the value that a requirement wants, and none requires the value of the label. */
function isWantedByOthers(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  { key, values, operator }: Requirement,
  { labels, open = false }: LabelSet,
  { uri, site }: SelectorPlace,
): boolean {
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const [wanted, ...others] = values;
  if (!isPositive(operator) || others.length > 0 || typeof wanted !== 'string' || typeof actual !== 'string')
    return false;
  const around = workspace.scopes().filesAround(placeOf({ file, object }));
  const requiring = (value: string) =>
    // Only the files of the scope are read.
    [...workspace.selectingIds('/Pod', { labels: { ...labels, [key]: value }, open }, around)].some(({ id }) => {
      const each = selectorWith(workspace, id);
      const isOther = id.uri !== uri || each?.site.span.start !== site.span.start;
      const isRequired = each?.site.entries.some((entry) => entry.key.text === key && entry.value.text === value);
      return isOther && isRequired === true;
    });
  return requiring(wanted) && !requiring(actual);
}

/** Returns the words in which a requirement and a label differ by a misspelling. Unlike a near miss, this includes values that distinguish variants, such as `canary`. */
function differenceIn(requirement: Requirement, { labels }: LabelSet): Omit<Correction, 'likeness'> | undefined {
  const { key, values } = requirement;
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const [wanted] = values;
  if (typeof actual !== 'string' || typeof wanted !== 'string') return correctionOf(requirement, { labels });
  return misspelling(wanted, actual) && { of: 'value', wanted, actual };
}
