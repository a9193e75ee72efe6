/** Evaluates a selector on labels that may be partly unknown, and explains the answer. */

import { not } from './answers.ts';
import { compareIntegers } from './integers.ts';
import { memoized } from './memoize.ts';
import { quoted, wantOf } from './messages.ts';
import type { Answer, LabelSet, Requirement, Selector, Value } from './types.ts';
import { canBeInteger, isSame } from './unknowns.ts';

/** The answer of one requirement for given labels, and the reason as a short sentence without a period. */
export interface Explanation {
  readonly requirement: Requirement;
  readonly answer: Answer;
  readonly reason: string;
}

/** Whether the selector matches the labels. The answer is *maybe* if it depends on an unknown value, or on keys that an open set may have; any other answer agrees with the answer of `matches` once everything is known. Defined by `Requirement.Matches` in k8s.io/apimachinery/pkg/labels. */
export function evaluate(selector: Selector, labelSet: LabelSet): Answer {
  if (selector.kind !== 'all') return selector.kind === 'everything' ? 'yes' : 'no';
  let answer: Answer = selector.open ? 'maybe' : 'yes';
  for (const requirement of selector.requirements) {
    const one = evaluateRequirement(requirement, labelSet);
    if (one === 'no') return 'no';
    if (one === 'maybe') answer = 'maybe';
  }
  return answer;
}

/** Returns the answer of each requirement with its reason, in the order of the selector; empty for a selector that matches everything or nothing. */
export function explain(selector: Selector, labelSet: LabelSet): readonly Explanation[] {
  if (selector.kind !== 'all') return [];
  return selector.requirements.map((requirement) => {
    const answer = evaluateRequirement(requirement, labelSet);
    return { requirement, answer, reason: reasonOf(requirement, answer, labelSet) };
  });
}

/** Returns the three-valued answer of a single requirement. */
export function evaluateRequirement(requirement: Requirement, { labels, open, changeable }: LabelSet): Answer {
  if (changeable !== undefined && isChangeable(changeable, requirement.key)) return 'maybe';
  const value = labelOf(labels, requirement.key);
  if (value === undefined) {
    if (open) return 'maybe';
    return allowsAbsence(requirement) ? 'yes' : 'no';
  }
  const { operator, values } = requirement;
  switch (operator) {
    case 'exists':
      return 'yes';
    case '!':
      return 'no';
    case '=':
    case '==':
    case 'in':
      return isOneOf(value, values);
    case '!=':
    case 'notin':
      return not(isOneOf(value, values));
    case 'gt':
    case 'lt':
      return compare(value, values[0] ?? '', operator);
  }
}

/** Whether the label with a key may be added or changed. */
export function isChangeable(changeable: readonly string[], key: string): boolean {
  return changeable.includes(key) || changeable.includes('*');
}

/** Returns the value of a label. Property names that every object inherits are never labels. */
export function labelOf<T extends Value>(labels: Readonly<Record<string, T>>, key: string): T | undefined {
  const value = labels[key];
  return value !== undefined && Object.hasOwn(labels, key) ? value : undefined;
}

/** Whether the requirement holds if its key is absent. */
export function allowsAbsence({ operator }: Requirement): boolean {
  return operator === '!=' || operator === 'notin' || operator === '!';
}

/** Lists with more values are searched by an index. */
const fewValues = 16;

const byText = memoized((values: readonly Value[]) => ({
  known: new Set(values.filter((each) => typeof each === 'string')),
  others: values.filter((each) => typeof each !== 'string'),
}));

function isOneOf(value: Value, values: readonly Value[]): Answer {
  if (typeof value === 'string' && values.length > fewValues) {
    const { known, others } = byText(values);
    return known.has(value) ? 'yes' : isAnyOf(value, others);
  }
  const { oneOf } = typeof value === 'string' ? {} : value;
  return oneOf?.every((each) => isOneOf(each, values) === 'yes') ? 'yes' : isAnyOf(value, values);
}

function isAnyOf(value: Value, values: readonly Value[]): Answer {
  let answer: Answer = 'no';
  for (const one of values) {
    const same = isSame(value, one);
    if (same === 'yes') return 'yes';
    if (same === 'maybe') answer = 'maybe';
  }
  return answer;
}

function compare(value: Value, bound: Value, operator: 'gt' | 'lt'): Answer {
  if (!canBeInteger(value) || !canBeInteger(bound)) return 'no';
  if (typeof value === 'string' && typeof bound === 'string') {
    const order = compareIntegers(value, bound);
    return (operator === 'gt' ? order > 0 : order < 0) ? 'yes' : 'no';
  }
  return isSame(value, bound) === 'yes' ? 'no' : 'maybe';
}

function reasonOf(requirement: Requirement, answer: Answer, labelSet: LabelSet): string {
  const key = `\`${requirement.key}\``;
  if (labelSet.changeable !== undefined && isChangeable(labelSet.changeable, requirement.key))
    return `an admission policy may change ${key}`;
  const value = labelOf(labelSet.labels, requirement.key);
  const want = wantOf(requirement);
  if (value === undefined) {
    if (answer === 'maybe') return `${key} may be set, but ${want}`;
    if (answer === 'no') return `${key} is absent, but ${want}`;
    return requirement.operator === '!' ? `${key} is absent` : `${key} is absent, which is allowed`;
  }
  if (answer === 'maybe' && isUsual(requirement, value)) return `${key} is ${quoted(value)}`;
  if (answer === 'yes') return requirement.operator === 'exists' ? `${key} is set` : `${key} is ${quoted(value)}`;
  if (answer === 'no' && isOrder(requirement) && !canBeInteger(value)) {
    return `${key} is ${quoted(value)}, which is not an integer, but ${want}`;
  }
  return `${key} is ${quoted(value)}, but ${want}`;
}

/** Whether the requirement holds for the default of an unknown value. */
function isUsual(requirement: Requirement, value: Value): boolean {
  const usual = (each: Value) => (typeof each === 'string' ? each : (each.assumed ?? each));
  const evaluated = { ...requirement, values: requirement.values.map(usual) };
  return evaluateRequirement(evaluated, { labels: { [requirement.key]: usual(value) } }) === 'yes';
}

function isOrder({ operator }: Requirement): boolean {
  return operator === 'gt' || operator === 'lt';
}
