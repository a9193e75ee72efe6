/** Changes a requirement of a selector so that the selector matches given labels. */

import { isLabelKey, validateLabelValue } from '../../engine/index.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import type { Fix } from '../framework/rule.ts';
import type { RequirementSite } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';

/** Returns fixes that copy the value of a label to the selector, or the key of a label if it differs in only a few letters. */
export function fitToLabels(
  { requirement, entry, expression, value: span, piece }: RequirementSite,
  labels: readonly LabelEntry[],
): readonly Fix[] {
  if (piece !== undefined) return fitText({ requirement, value: span, piece }, labels);
  const key = entry?.key ?? expression?.key;
  const value = entry?.value ?? onlyOf(expression?.values);
  if (key === undefined || value === undefined || !isPositive(requirement.operator)) return [];
  const carried = entryOf(labels, requirement.key);
  if (carried !== undefined) {
    if (typeof carried.value.value !== 'string' || !isValidValue(carried.value.text)) return [];
    const title = localize`Change the selector to '${shorten(carried.value.text)}'`;
    return [{ title, edits: [replaceScalar(value, carried.value.text)], preferred: true }];
  }
  const alike = labels.find(
    (label) => label.value.text === value.text && editDistance(label.key.text, requirement.key, 2) <= 2,
  );
  if (alike === undefined || typeof alike.key.value !== 'string' || !isLabelKey(alike.key.text)) return [];
  const title = localize`Change the key in the selector to '${shorten(alike.key.text)}'`;
  return [{ title, edits: [replaceScalar(key, alike.key.text)], preferred: true }];
}

/** Returns the fix that copies the value of a label to a selector text, if the value has its own range in the file. */
function fitText(
  { requirement, value: span }: Pick<RequirementSite, 'requirement' | 'value' | 'piece'>,
  labels: readonly LabelEntry[],
): readonly Fix[] {
  const [wanted] = requirement.values;
  const actual = entryOf(labels, requirement.key)?.value;
  if (!isPositive(requirement.operator) || requirement.values.length !== 1 || typeof wanted !== 'string') return [];
  if (typeof actual?.value !== 'string' || !isValidValue(actual.text) || span.end - span.start !== wanted.length)
    return [];
  const title = localize`Change the selector to '${shorten(actual.text)}'`;
  return [{ title, edits: [{ span, text: actual.text }], preferred: true }];
}

/** Whether a selector can be changed to the value of a label: another rule reports an invalid one at the label. */
function isValidValue(text: string): boolean {
  return text !== '' && validateLabelValue(text).length === 0;
}

/** Returns the entry with a given key; if the key occurs more than once, the last entry. */
export function entryOf(labels: readonly LabelEntry[], key: string): LabelEntry | undefined {
  return labels.findLast((entry) => entry.key.text === key);
}

/** Whether an operator requires the label to have one of the given values. */
export function isPositive(operator: string): boolean {
  return operator === '=' || operator === '==' || operator === 'in';
}

function onlyOf(values: readonly Written[] | undefined): Written | undefined {
  return values?.length === 1 ? values[0] : undefined;
}
