/** Converts selectors to the forms that manifests use: `LabelSelector`, map and node selector term. */

import { formatRequirement } from './format.ts';
import { parsed } from './problems.ts';
import { requirementsOf } from './selector.ts';
import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelectorRequirement,
  NodeSelectorTermSource,
  Operator,
  Parsed,
  Problem,
  Requirement,
  Selector,
  Value,
} from './types.ts';

/** Converts a selector to the equivalent `LabelSelector`, without empty parts; null if the selector matches nothing. `!=` becomes `NotIn`; if a key has several equalities, all but the first become `In`. Reports the problem `not-expressible`, with the index of the requirement as its path, if no form exists: for `gt`, `lt` and unknown parts. Based on `ParseToLabelSelector` in k8s.io/apimachinery/pkg/apis/meta/v1, which rejects `!=` and loses repeated keys. */
export function toLabelSelector(selector: Selector): Parsed<LabelSelector | null> {
  if (selector.kind === 'nothing') return { ok: true, value: null };
  const problems = openProblems(selector);
  const matchLabels = new Map<string, Value>();
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const [index, requirement] of requirementsOf(selector).entries()) {
    const { key, operator, values } = requirement;
    const [value] = values;
    if (isEquality(operator) && value !== undefined && !matchLabels.has(key)) matchLabels.set(key, value);
    else if (operator === 'gt' || operator === 'lt') {
      const hint = '`matchExpressions` cannot compare numbers';
      problems.push(notExpressible(requirement, index, hint));
    } else matchExpressions.push(withValues({ key, operator: structuredOperators[operator] }, values));
  }
  const value: LabelSelector = {
    ...(matchLabels.size > 0 && { matchLabels: Object.fromEntries(matchLabels) }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
  return parsed<LabelSelector | null>(problems, value, matchLabels.size + matchExpressions.length > 0);
}

/** Converts a selector to the equivalent map of labels, the form of a Service's selector or a `nodeSelector`. Reports the problem `not-expressible` for a selector that matches nothing, for unknown parts and, with the index of the requirement as its path, for every requirement that a map with one value for each key cannot express. */
export function toMap(selector: Selector): Parsed<Readonly<Record<string, Value>>> {
  const problems = openProblems(selector);
  if (selector.kind === 'nothing') {
    problems.push({
      code: 'not-expressible',
      message: 'a map cannot express a selector that matches nothing',
      path: [],
    });
  }
  const map = new Map<string, Value>();
  for (const [index, requirement] of requirementsOf(selector).entries()) {
    const { key, operator, values } = requirement;
    const [value] = values;
    const hasOne = values.length === 1 && (isEquality(operator) || operator === 'in');
    if (hasOne && value !== undefined && !map.has(key)) map.set(key, value);
    else problems.push(notExpressible(requirement, index, 'a map can only contain one value for each key'));
  }
  return parsed<Readonly<Record<string, Value>>>(problems, Object.fromEntries(map), map.size > 0);
}

/** Converts a selector to the equivalent node selector term. A selector that matches nothing becomes an empty term. Reports the problem `not-expressible` for a selector that matches everything, which no term can express, and for unknown parts. */
export function toNodeSelectorTerm(selector: Selector): Parsed<NodeSelectorTermSource> {
  if (selector.kind === 'nothing') return { ok: true, value: {} };
  const problems = openProblems(selector);
  const requirements = requirementsOf(selector);
  if (requirements.length === 0 && problems.length === 0) {
    const message = 'an empty node selector term matches no node';
    problems.push({ code: 'not-expressible', message, path: [] });
  }
  const matchExpressions = requirements.map(({ key, operator, values }) =>
    withValues({ key, operator: structuredOperators[operator] }, values),
  );
  return parsed<NodeSelectorTermSource>(problems, { matchExpressions }, matchExpressions.length > 0);
}

const structuredOperators = {
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  gt: 'Gt',
  lt: 'Lt',
} as const satisfies Readonly<Record<Operator, NodeSelectorRequirement['operator']>>;

function isEquality(operator: Operator): boolean {
  return operator === '=' || operator === '==';
}

/** Adds values to an expression; the field is left out if there are no values. */
function withValues<T extends object>(
  expression: T,
  values: readonly Value[],
): T & { readonly values?: readonly Value[] } {
  return values.length === 0 ? expression : { ...expression, values };
}

function openProblems(selector: Selector): Problem[] {
  if (selector.kind !== 'all' || !selector.open) return [];
  const message = 'the selector contains unknown requirements, so it cannot be converted';
  return [{ code: 'not-expressible', message, path: [] }];
}

function notExpressible(requirement: Requirement, index: number, why: string): Problem {
  const message = `'${formatRequirement(requirement)}' cannot be expressed in this form: ${why}`;
  return { code: 'not-expressible', message, path: [index] };
}
