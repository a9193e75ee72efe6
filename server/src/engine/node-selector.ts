/** Parses node selectors and preferred terms from plain data, and matches them against nodes. */

import { satisfiable } from './algebra.ts';
import { compile } from './compile.ts';
import { excerpt } from './messages.ts';
import { parsed } from './problems.ts';
import { nodeSelectorOperators, type ReadRequirements, readExpressions, readValues } from './requirements.ts';
import { fieldOf, StructuredParser } from './structured.ts';
import type { FieldRequirement, NodeSelector, NodeSelectorTerm, Parsed, Path, PreferredTerm, Value } from './types.ts';

/** The parts of a node that a node selector can match. */
export interface Node {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The minimum weight of a preferred term; `maxWeight` is the maximum weight. */
export const minWeight = 1;
export const maxWeight = 100;

/** Parses a `NodeSelector` (`nodeSelectorTerms`) from plain data, in which any string may be an unknown. Null and empty terms match nothing and are left out. Reports the problems of keys and values, `operator-unknown`, `values-required`, `values-forbidden`, `value-count`, `value-not-integer` and `wrong-type`, each with its path. `partial` is always set and contains the valid terms, which the Kubernetes scheduler uses. Defined by `NewNodeSelector` in k8s.io/component-helpers/scheduling/corev1/nodeaffinity. */
export function fromNodeSelector(value: unknown): Parsed<NodeSelector> {
  const parser = new StructuredParser();
  const terms: NodeSelectorTerm[] = [];
  if (parser.map(value, [], 'node selector')) {
    const path = ['nodeSelectorTerms'];
    parser.list(fieldOf(value, 'nodeSelectorTerms'), path, '`nodeSelectorTerms`')?.forEach((item, index) => {
      const term = readTerm(parser, item, [...path, index], index);
      if (term) terms.push(term);
    });
  }
  return parsed(parser.problems, { terms }, true);
}

/** Parses the list `preferredDuringSchedulingIgnoredDuringExecution` from plain data, and returns its terms with their weights. An empty term has no effect and is left out. The problems are those of `fromNodeSelector`, and `weight-range` if a weight is not an integer from 1 to 100. Defined by `NewPreferredSchedulingTerms` in k8s.io/component-helpers/scheduling/corev1/nodeaffinity, and for weights by `ValidatePreferredSchedulingTerms` in k8s.io/kubernetes/pkg/apis/core/validation. */
export function fromPreferredTerms(value: unknown): Parsed<readonly PreferredTerm[]> {
  const parser = new StructuredParser();
  const terms: PreferredTerm[] = [];
  parser.list(value, [], 'preferred terms')?.forEach((item, index) => {
    if (parser.map(item, [index], 'preferred term') === undefined) return;
    const weight = fieldOf(item, 'weight');
    const weightIsSound =
      typeof weight === 'number' && Number.isInteger(weight) && weight >= minWeight && weight <= maxWeight;
    if (!weightIsSound) {
      const message = `\`weight\` must be an integer between ${minWeight} and ${maxWeight}, inclusive`;
      parser.problem('weight-range', [index, 'weight'], message);
    }
    const term = readTerm(parser, fieldOf(item, 'preference'), [index, 'preference'], index);
    if (term && weightIsSound) terms.push({ weight, term });
  });
  return parsed<readonly PreferredTerm[]>(parser.problems, terms, true);
}

/**
 * Whether a node satisfies some term of a node selector. `matchFields` supports only `metadata.name`; if the node has no name, `matchFields` is ignored. Defined by `Match` of `LazyErrorNodeSelector` in
 * k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
 */
export function matchesNode(selector: NodeSelector, node: Node): boolean {
  return selector.terms.some(
    (term) =>
      !term.open &&
      compile({ kind: 'all', requirements: term.labels }).matches(node.labels) &&
      (node.name === '' || term.fields.every((requirement) => matchesName(requirement, node.name))),
  );
}

/**
 * Whether some node can satisfy a term: false for `Gt 5` with `Lt 6`, or for two names. A term with unknown values can
 * be satisfied unless its known parts contradict each other.
 */
export function termSatisfiable({ labels, fields }: NodeSelectorTerm): boolean {
  return satisfiable({ kind: 'all', requirements: labels }) && namesSatisfiable(fields);
}

/** Whether some node name satisfies all requirements on `metadata.name`. */
function namesSatisfiable(fields: readonly FieldRequirement[]): boolean {
  const names = fields.filter(({ field }) => field === 'metadata.name');
  const valuesOf = (wanted: FieldRequirement['operator']) =>
    names.flatMap(({ operator, value }) => (operator === wanted ? [value] : []));
  const idOf = (value: Value) => (typeof value === 'string' ? value : `unknown ${value.unknown}`);
  const allowed = valuesOf('=');
  const excluded = new Set(valuesOf('!=').map(idOf));
  const known = new Set(allowed.filter((value) => typeof value === 'string'));
  return known.size < 2 && !allowed.some((value) => excluded.has(idOf(value)));
}

function matchesName({ field, operator, value }: FieldRequirement, name: string): boolean {
  if (typeof value !== 'string') return false;
  return ((field === 'metadata.name' ? name : '') === value) === (operator === '=');
}

/** Parses a term; returns undefined if the term has no requirements, or if it has problems. */
function readTerm(parser: StructuredParser, item: unknown, path: Path, index: number): NodeSelectorTerm | undefined {
  if (parser.map(item, path, 'node selector term') === undefined) return undefined;
  const before = parser.problems.length;
  const expressions = fieldOf(item, 'matchExpressions');
  const read: ReadRequirements = { requirements: [], open: false };
  readExpressions(parser, expressions, [...path, 'matchExpressions'], nodeSelectorOperators, read);

  const fieldsPath = [...path, 'matchFields'];
  const items = parser.list(fieldOf(item, 'matchFields'), fieldsPath, '`matchFields`') ?? [];
  const fields: FieldRequirement[] = [];
  items.forEach((field, at) => {
    const requirement = readField(parser, field, [...fieldsPath, at]);
    if (requirement === 'open') read.open = true;
    else if (requirement) fields.push(requirement);
  });

  const isEmpty = read.requirements.length === 0 && fields.length === 0 && !read.open;
  if (isEmpty || parser.problems.length > before) return undefined;
  const term = { index, labels: read.requirements, fields };
  return read.open ? { ...term, open: true } : term;
}

/** Parses a requirement on a field; returns `open` if the field or the operator is unknown. */
function readField(parser: StructuredParser, item: unknown, path: Path): FieldRequirement | 'open' | undefined {
  if (parser.map(item, path, 'field requirement') === undefined) return undefined;
  const before = parser.problems.length;
  const field = parser.string(fieldOf(item, 'key'), [...path, 'key'], '`key`');
  const operator = parser.string(fieldOf(item, 'operator'), [...path, 'operator'], '`operator`');
  const values = readValues(parser, fieldOf(item, 'values'), [...path, 'values']);

  if (typeof operator === 'string' && operator !== 'In' && operator !== 'NotIn') {
    const message = `in \`matchFields\`, \`operator\` must be 'In' or 'NotIn', not '${excerpt(operator)}'`;
    parser.problem('operator-unknown', [...path, 'operator'], message);
  } else if (values && values.length !== 1) {
    parser.problem('value-count', [...path, 'values'], 'in `matchFields`, `values` must have exactly one value');
  }
  const [value] = values ?? [];
  if (parser.problems.length > before || value === undefined) return undefined;
  if (typeof field !== 'string' || typeof operator !== 'string') return 'open';
  return { field, operator: operator === 'In' ? '=' : '!=', value };
}
