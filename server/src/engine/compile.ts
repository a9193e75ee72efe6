/** Compiles selectors into matchers for repeated evaluation without allocation. */

import { evaluateRequirement, labelOf } from './evaluate.ts';
import { compareIntegers, isInteger } from './integers.ts';
import type { Requirement, Selector } from './types.ts';

/** A compiled selector. Its evaluation allocates nothing. */
export interface Matcher {
  matches(labels: Readonly<Record<string, string>>): boolean;
}

/** Compiles a selector. For known labels, the matcher gives the same answer as `evaluate`, except that *maybe* (for a selector that is itself partly unknown) becomes false. */
export function compile(selector: Selector): Matcher {
  if (selector.kind === 'everything') return { matches: () => true };
  if (selector.kind === 'nothing' || selector.open) return { matches: () => false };
  const tests = selector.requirements.map(testOf);
  return {
    matches(labels) {
      for (const test of tests) if (!test(labels)) return false;
      return true;
    },
  };
}

/**
 * Whether the labels of an object satisfy a selector. For repeated evaluation, compile the selector first. Defined by
 * `Matches` of `Selector` and `Requirement` in k8s.io/apimachinery/pkg/labels.
 */
export function matches(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  return compile(selector).matches(labels);
}

type Test = (labels: Readonly<Record<string, string>>) => boolean;

/** Longer lists are converted to a set; in shorter lists, a scan is faster. */
const longList = 8;

function testOf(requirement: Requirement): Test {
  const { key, operator, values } = requirement;
  const known = values.filter((value) => typeof value === 'string');
  if (known.length < values.length) return (labels) => evaluateRequirement(requirement, { labels }) === 'yes';
  switch (operator) {
    case 'exists':
      return (labels) => labelOf(labels, key) !== undefined;
    case '!':
      return (labels) => labelOf(labels, key) === undefined;
    case 'gt':
    case 'lt':
      return orderTest(key, operator, known[0]);
    case '=':
    case '==':
    case 'in':
      return memberTest(key, known);
    case '!=':
    case 'notin':
      return absentOr(key, memberTest(key, known));
  }
}

function absentOr(key: string, excluded: Test): Test {
  return (labels) => labelOf(labels, key) === undefined || !excluded(labels);
}

function memberTest(key: string, values: readonly string[]): Test {
  const [first] = values;
  if (first === undefined) return () => false;
  if (values.length === 1) return (labels) => labelOf(labels, key) === first;
  const contains = membership(values);
  return (labels) => {
    const value = labelOf(labels, key);
    return value !== undefined && contains(value);
  };
}

function membership(values: readonly string[]): (value: string) => boolean {
  if (values.length <= longList) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

function orderTest(key: string, operator: 'gt' | 'lt', bound: string | undefined): Test {
  if (bound === undefined || !isInteger(bound)) return () => false;
  const sign = operator === 'gt' ? 1 : -1;
  return (labels) => {
    const value = labelOf(labels, key);
    return value !== undefined && isInteger(value) && sign * compareIntegers(value, bound) > 0;
  };
}
