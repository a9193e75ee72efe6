/** Determines how template expressions affect the match between a selector and labels. */

import { type Answer, evaluate, isUnknown, type Requirement, type Selector, type Value } from '../../engine/index.ts';
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

/** Whether a requirement is not met with the default values of the chart, so that only other values could cause a match. */
export function isUnusual(selector: Selector, { labelSet }: Pick<Candidate, 'labelSet'>): boolean {
  if (selector.kind !== 'all') return false;
  return selector.requirements.some((requirement) => {
    const value = usual(labelSet.labels[requirement.key]);
    const values = requirement.values.map((each) => usual(each) ?? each);
    if (value === undefined || [value, ...values].some(isUnknown)) return false;
    return evaluateOne({ ...requirement, values }, value) === 'no';
  });
}

/** Whether a selector and labels match only if two different values of a chart happen to be the same, such as the names of two components. A value of one side may be set for the other one. */
export function isByChance(selector: Selector, { labelSet }: Pick<Candidate, 'labelSet'>): boolean {
  if (selector.kind !== 'all') return false;
  return selector.requirements.some((requirement) => {
    const value = labelSet.labels[requirement.key];
    return (
      ['=', '==', 'in'].includes(requirement.operator) &&
      isUnknown(value) &&
      requirement.values.every(isUnknown) &&
      evaluateOne(requirement, value) === 'maybe'
    );
  });
}

/** Whether the selector matches with the default values of the chart. */
export function isUsual(selector: Selector, { labelSet }: Candidate): boolean {
  if (selector.kind !== 'all') return true;
  return selector.requirements.every((requirement) => {
    const value = usual(labelSet.labels[requirement.key]);
    if (value === undefined || isUnknown(value)) return false;
    const values = requirement.values.map((each) => usual(each) ?? each);
    return evaluateOne({ ...requirement, values }, value) === 'yes';
  });
}

/** Returns the selector with the default values of its chart, as far as these determine it. */
export function withUsualValues(selector: Selector): Selector {
  if (selector.kind !== 'all') return selector;
  const requirements = selector.requirements.map((each) => ({
    ...each,
    values: each.values.map((value) => usual(value) ?? value),
  }));
  return { ...selector, requirements };
}

/** The value with the default values of the chart, as far as these determine it. */
function usual(value: Value | undefined): Value | undefined {
  return isUnknown(value) ? (value.assumed ?? value) : value;
}

function evaluateOne(requirement: Requirement, value: Value): Answer {
  return evaluate({ kind: 'all', requirements: [requirement] }, { labels: { [requirement.key]: value } });
}
