/** Determines how template expressions affect the match between a selector and labels. */

import { evaluate, isUnknown, type Requirement, type Selector, type Value } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, LabeledObjectInFile } from '../model.ts';

/** Whether a template adds requirements to the selector that the labels possibly do not satisfy. If it adds the same parts to the labels, the requirements are satisfied. */
export function requiresMore(
  { open, parts }: Pick<SelectorSite, 'open' | 'parts'>,
  candidate: LabeledObjectInFile,
): boolean {
  return open && !(parts?.every((part) => part !== '' && candidate.labeledObject.parts?.includes(part)) ?? false);
}

/** Returns the answer for a candidate in another scope, in which a template expression has a different value. */
export function answerElsewhere(selector: Selector, { answer, labelSet }: Candidate): 'yes' | 'maybe' {
  if (answer === 'maybe' || selector.kind !== 'all') return answer;
  const isKnown = ({ key, values }: Requirement) => !isUnknown(labelSet.labels[key]) || !values.some(isUnknown);
  return selector.requirements.every(isKnown) ? 'yes' : 'maybe';
}

/** Whether the selector matches with the default values of the chart. */
export function isUsual(selector: Selector, { labelSet }: Candidate): boolean {
  if (selector.kind !== 'all') return true;
  const usual = (value: Value | undefined) => (isUnknown(value) ? (value.assumed ?? value) : value);
  return selector.requirements.every((requirement) => {
    const { key, values } = requirement;
    const value = usual(labelSet.labels[key]);
    if (value === undefined || isUnknown(value)) return false;
    const evaluated = { ...requirement, values: values.map((each) => usual(each) ?? each) };
    return evaluate({ kind: 'all', requirements: [evaluated] }, { labels: { [key]: value } }) === 'yes';
  });
}
