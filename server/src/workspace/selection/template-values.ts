/** What do the expressions of templates decide between a selector and labels? */

import { evaluate, isUnknown, type Requirement, type Selector, type Value } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, CarrierInFile } from '../model.ts';

/** A template adds requirements that the labels are not known to meet: none, where it adds the same to the labels. */
export function asksMore({ open, parts }: Pick<SelectorSite, 'open' | 'parts'>, candidate: CarrierInFile): boolean {
  return open && !(parts?.every((part) => part !== '' && candidate.carrier.parts?.includes(part)) ?? false);
}

/** An expression of a template is another value in every scope. */
export function answerElsewhere(selector: Selector, { answer, labelSet }: Candidate): 'yes' | 'maybe' {
  if (answer === 'maybe' || selector.kind !== 'all') return answer;
  const isKnown = ({ key, values }: Requirement) => !isUnknown(labelSet.labels[key]) || !values.some(isUnknown);
  return selector.requirements.every(isKnown) ? 'yes' : 'maybe';
}

/** Whether it matches unless somebody chooses otherwise than the chart does. */
export function isUsual(selector: Selector, { labelSet }: Candidate): boolean {
  if (selector.kind !== 'all') return true;
  const usual = (value: Value | undefined) => (isUnknown(value) ? (value.assumed ?? value) : value);
  return selector.requirements.every((requirement) => {
    const { key, values } = requirement;
    const value = usual(labelSet.labels[key]);
    if (value === undefined || isUnknown(value)) return false;
    const asked = { ...requirement, values: values.map((each) => usual(each) ?? each) };
    return evaluate({ kind: 'all', requirements: [asked] }, { labels: { [key]: value } }) === 'yes';
  });
}
