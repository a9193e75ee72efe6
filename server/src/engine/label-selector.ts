/** What does a selector in a manifest mean, and how is a selector written there? */

import { labelSelectorOperators, type ReadRequirements, readEqualities, readExpressions } from './requirements.ts';
import { allOf, nothing, parsed } from './selector.ts';
import { fieldOf, StructuredReader } from './structured.ts';
import type {
  LabelSelector,
  LabelSelectorRequirement,
  Parsed,
  Problem,
  Requirement,
  Selector,
  Value,
} from './types.ts';
import { isUnknown } from './types.ts';

/**
 * Takes a `LabelSelector` (`matchLabels` and `matchExpressions`) as plain data, in which any string may be an unknown;
 * gives its meaning: null is nothing, empty is everything. Problems, each with its path: those of keys and values,
 * `operator-unknown`, `values-required`, `values-forbidden`, `wrong-type`. Defined by `LabelSelectorAsSelector` and
 * `ValidateLabelSelector` in k8s.io/apimachinery/pkg/apis/meta/v1.
 */
export function fromLabelSelector(value: unknown): Parsed<Selector> {
  if (value === null || value === undefined) return { ok: true, value: nothing };
  const reader = new StructuredReader();
  const read: ReadRequirements = { requirements: [], open: false };
  if (reader.map(value, [], 'label selector')) {
    readEqualities(reader, fieldOf(value, 'matchLabels'), ['matchLabels'], read);
    readExpressions(reader, fieldOf(value, 'matchExpressions'), ['matchExpressions'], labelSelectorOperators, read);
  }
  return finish(reader, read);
}

/**
 * Takes a map of labels that must all be there (Service, ReplicationController, `nodeSelector`) as plain data, in which
 * any value may be an unknown; gives its meaning. Null and empty are everything here: what they mean for a field, the
 * catalogue knows. Problems, each with its path: those of keys and values, `wrong-type`. Defined by `SelectorFromSet`
 * in k8s.io/apimachinery/pkg/labels and `ValidateLabels` in pkg/apis/meta/v1/validation.
 */
export function fromMap(value: unknown): Parsed<Selector> {
  const reader = new StructuredReader();
  const read: ReadRequirements = { requirements: [], open: false };
  readEqualities(reader, value, [], read);
  return finish(reader, read);
}

/**
 * Takes a selector, gives the `LabelSelector` with the same meaning: null for nothing, empty parts left out. `!=`
 * becomes `NotIn`, and of several equalities on one key all but the first become `In`. The problem `not-expressible`,
 * with the index of the requirement as its path, where no form exists: `gt`, `lt`, and requirements that are not known.
 */
export function toLabelSelector(selector: Selector): Parsed<LabelSelector | null> {
  if (selector.kind === 'nothing') return { ok: true, value: null };
  if (selector.kind === 'everything') return { ok: true, value: {} };
  const problems: Problem[] = [];
  const matchLabels = new Map<string, Value>();
  const matchExpressions: LabelSelectorRequirement[] = [];
  selector.requirements.forEach((requirement, index) => {
    const [value] = requirement.values;
    const isEquality = requirement.operator === '=' || requirement.operator === '==';
    const expression = expressionOf(requirement);
    if (isEquality && value !== undefined && !matchLabels.has(requirement.key)) matchLabels.set(requirement.key, value);
    else if (expression) matchExpressions.push(expression);
    else problems.push(notExpressible(requirement, index));
  });
  if (selector.open) {
    const message = 'label selector must be known in whole to be written: some of its requirements are not';
    problems.push({ code: 'not-expressible', message, path: [] });
  }
  const value: LabelSelector = {
    ...(matchLabels.size > 0 && { matchLabels: Object.fromEntries(matchLabels) }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
  return parsed<LabelSelector | null>(problems, value, matchLabels.size + matchExpressions.length > 0);
}

function finish(reader: StructuredReader, read: ReadRequirements): Parsed<Selector> {
  return parsed(reader.problems, allOf(read.requirements, read.open), read.requirements.length > 0);
}

const structuredOperators: Readonly<Record<string, LabelSelectorRequirement['operator']>> = {
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function expressionOf({ key, operator, values }: Requirement): LabelSelectorRequirement | undefined {
  const structured = structuredOperators[operator];
  if (structured === undefined) return undefined;
  return values.length === 0 ? { key, operator: structured } : { key, operator: structured, values };
}

function notExpressible({ key, operator, values }: Requirement, index: number): Problem {
  const [value = ''] = values;
  const written = `${key}${operator === 'gt' ? '>' : '<'}${isUnknown(value) ? (value.pattern ?? '*') : value}`;
  const message = `\`matchExpressions\` may not compare numbers: '${written}' has no form there, only in a node affinity ('Gt', 'Lt') and in selector texts`;
  return { code: 'not-expressible', message, path: [index] };
}
