/** Reports node selectors that Kubernetes rejects. */

import { fromNodeSelector, maxWeight, minWeight, type Path, type Problem, validateName } from '../../engine/index.ts';
import { written } from '../../manifests/sites/sites.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import { plainData } from '../../manifests/yaml/plain-data.ts';
import {
  childOf,
  entryOf,
  itemsOf,
  mayHoldMore,
  type Node,
  type ScalarNode,
  textOf,
} from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { targetAt, treeOf } from '../../workspace/object-trees.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { fixedNodeOperator } from '../fixes/fix-operator.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { type NodeSelectorSite, nodeSelectorSites } from '../helpers/node-selectors.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';

interface BadNodeSelector extends Fact {
  readonly message: string;
  readonly fix?: Fix;
}

export const nodeSelectorSyntax = rule<BadNodeSelector>({
  id: 'node-selector-syntax',
  severity: 'error',
  validatesFields: true,
  summary: 'A node affinity that Kubernetes rejects, or a requirement of a node pool that Karpenter rejects.',
  why: 'The API server rejects an object with an invalid node affinity. `In` and `NotIn` need values, `Exists` and `DoesNotExist` must have none, and `Gt` and `Lt` need one integer. `matchFields` supports only `metadata.name`. A weight must be between 1 and 100. Values that only the scheduler rejects are reported as warnings: a term with such a value matches no node. The requirements of node pools of Karpenter are validated as Karpenter does.',
  bad: [
    {
      title: 'An operator in lower case, which is invalid.',
      text: podWith(`          - matchExpressions:
              - key: disk
                operator: in
                values: [ssd]
`),
    },
    {
      title: '`Gt` with a value that is not an integer.',
      text: podWith(`          - matchExpressions:
              - key: cores
                operator: Gt
                values: ["4", "8"]
`),
    },
    {
      title: 'A value that is a number instead of a string.',
      text: podWith(`          - matchExpressions:
              - key: cores
                operator: Gt
                values: [4]
`),
    },
  ],
  good: [
    {
      title: 'Each operator with valid values.',
      text: podWith(`          - matchExpressions:
              - { key: disk, operator: In, values: [ssd, nvme] }
              - { key: cores, operator: Gt, values: ["4"] }
              - { key: old, operator: DoesNotExist }
`),
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    for (const place of nodeSelectorSites(context)) {
      for (const fact of [...problemsOf(place), ...termFacts(context, place), ...weightFact(place)]) {
        yield place.checked ? fact : { ...fact, severity: 'warning' };
      }
    }
    for (const fact of poolFacts(context)) yield { ...fact, severity: 'warning' };
  },
  message: ({ message }) => message,
  fixes: ({ fix }) => (fix === undefined ? [] : [fix]),
});

function podWith(terms: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
${terms}`;
}

/** Problems that the API server ignores, but that prevent the scheduler from parsing the selector. */
const onlyScheduler: ReadonlySet<string> = new Set(['value-not-integer', 'value-too-long', 'value-syntax']);

function* problemsOf({ site, node }: NodeSelectorSite): Iterable<BadNodeSelector> {
  const selector = site.nodeSelector;
  if (selector === undefined || selector.ok) return;
  const byPosition = new Map<string, Problem[]>();
  for (const problem of selector.problems) {
    const at = JSON.stringify(problem.path);
    byPosition.set(at, [...(byPosition.get(at) ?? []), problem]);
  }
  for (const problems of byPosition.values()) {
    const path = problems[0]?.path ?? [];
    // A single term is parsed as the first item of a list.
    const inSite = site.fact.form === 'nodeSelectorTerm' ? path.slice(2) : path;
    const fact = factOf(node, inSite, problems);
    if (fact !== undefined) yield fact;
  }
}

function factOf(selector: Node, path: Path, problems: readonly Problem[]): BadNodeSelector | undefined {
  const parent = targetAt(selector, path.slice(0, -1))?.node;
  const target = targetAt(selector, path);
  // A field is not missing if a template may add it.
  if ((target !== undefined && mayHoldMore(target.node)) || (parent !== undefined && mayHoldMore(parent)))
    return undefined;
  const span = spanOf(selector, path);
  if (span === undefined) return undefined;
  const severity = problems.every(({ code }) => onlyScheduler.has(code)) ? { severity: 'warning' as const } : {};
  const fix = target?.node.kind === 'scalar' ? scalarFix(target.node, path) : undefined;
  return { span, message: describeProblems(problems), ...severity, ...(fix && { fix }) };
}

/** Returns the span of the scalar at a path. Without a scalar, returns the span of the key of its field; without this key, the span of the operator or key of the requirement. */
function spanOf(selector: Node, path: Path): Span | undefined {
  const target = targetAt(selector, path);
  if (target?.node.kind === 'scalar' && target.node.type !== 'null') return target.node.span;
  if (target?.entry !== undefined) return target.entry.key.span;
  const parent = targetAt(selector, path.slice(0, -1));
  const beside = ['operator', 'key'].map((name) => childOf(parent?.node, name)).find((each) => each?.kind === 'scalar');
  return beside?.span ?? parent?.entry?.key.span;
}

/** Returns a fix for an invalid operator, key or value. */
function scalarFix(scalar: ScalarNode, path: Path): Fix | undefined {
  const field = path.at(-1);
  if (field !== 'operator') return correctLabel(field === 'key' ? 'key' : 'value', [written(scalar)])[0];
  const meant = fixedNodeOperator(scalar.text);
  if (meant === undefined || meant === scalar.text) return undefined;
  const edits = [replaceScalar(written(scalar), meant)];
  return { title: localize`Change the operator to '${shorten(meant)}'`, edits, preferred: true };
}

function* termFacts(context: RuleContext, { object, site, node }: NodeSelectorSite): Iterable<BadNodeSelector> {
  const { manifest } = context;
  const list = site.fact.form === 'nodeSelector' ? childOf(node, 'nodeSelectorTerms') : undefined;
  // A field that is missing in a values file may be in another values file, since Helm merges them.
  const isWhole = list !== undefined || !object.inValues;
  const isKnown = isWhole && !mayHoldMore(node) && manifest.unresolved !== true && node.kind === 'map';
  if (site.fact.form === 'nodeSelector' && isKnown && (list === undefined || isEmptyList(list))) {
    const span = entryOf(node, 'nodeSelectorTerms')?.key.span ?? site.keySpan;
    yield { span, message: localize`\`nodeSelectorTerms\` must have at least one term.` };
  }
  const terms = site.fact.form === 'nodeSelector' ? (list?.kind === 'list' ? list.items : []) : [node];
  for (const term of terms) {
    for (const requirement of itemsOf(childOf(term, 'matchFields'))) yield* fieldFacts(requirement);
    for (const requirement of [
      ...itemsOf(childOf(term, 'matchExpressions')),
      ...itemsOf(childOf(term, 'matchFields')),
    ]) {
      yield* typeFacts(context, requirement);
    }
  }
}

/** The paths of the requirements that Karpenter has on nodes. */
const poolPaths: readonly Path[] = [
  ['spec', 'template', 'spec', 'requirements'],
  ['spec', 'requirements'],
];

/** Yields the requirements of a node pool of Karpenter that its definition or its controller rejects. Another rule validates their keys. */
function* poolFacts(context: RuleContext): Iterable<BadNodeSelector> {
  for (const object of context.stored) {
    if (object.group !== 'karpenter.sh') continue;
    const root = treeOf(context, object);
    for (const path of poolPaths) {
      const list = targetAt(root, path)?.node;
      if (list?.kind !== 'list') continue;
      const selector = fromNodeSelector({ nodeSelectorTerms: [{ matchExpressions: plainData(list) }] });
      const problems = selector.ok ? [] : selector.problems;
      for (const problem of problems) {
        // The path begins with the term and its list.
        const at = (problem.path ?? []).slice(3);
        const operator = textOf(childOf(list.items[Number(at[0])], 'operator')) ?? '';
        if (at[1] === 'key' || isAllowedInPools(problem, operator)) continue;
        const fact = factOf(list, at, [problem]);
        if (fact !== undefined) yield fact;
      }
      for (const requirement of list.items) yield* typeFacts(context, requirement);
    }
  }
}

/** Whether Karpenter accepts what a node affinity must not have: other operators for numbers, and values that have no effect. */
function isAllowedInPools({ code }: Problem, operator: string): boolean {
  if (code === 'operator-unknown') return operator === 'Gte' || operator === 'Lte';
  if (code === 'values-required') return operator !== 'In';
  return code === 'values-forbidden' || code === 'wrong-type';
}

function isEmptyList(node: Node): boolean {
  return node.kind === 'list' ? node.items.length === 0 && !node.open : node.kind === 'scalar' && node.type === 'null';
}

const nameField = 'metadata.name';

/** Matches a word in capitals, such as `NODE_NAME`, which is a placeholder. */
const capitals = /(?:^|[^A-Za-z0-9])[A-Z][A-Z0-9_]{3,60}(?:$|[^A-Za-z0-9_])/;

function* fieldFacts(requirement: Node): Iterable<BadNodeSelector> {
  const key = childOf(requirement, 'key');
  if (key?.kind !== 'scalar' || key.type !== 'string' || key.pattern !== undefined) return;
  if (key.text === nameField) {
    for (const value of itemsOf(childOf(requirement, 'values'))) {
      if (value.kind !== 'scalar' || value.type !== 'string' || value.pattern !== undefined) continue;
      if (capitals.test(value.text)) continue;
      const [problem] = validateName('dns1123Subdomain', value.text);
      if (problem !== undefined)
        yield {
          span: value.span,
          message: localize`'${shorten(value.text)}' is not the name of a node: ${problem.message}.`,
        };
    }
    return;
  }
  const message = localize`\`key\` must be '${nameField}' in \`matchFields\`, not '${shorten(key.text)}'; labels belong in \`matchExpressions\`.`;
  yield { span: key.span, message };
}

/** Yields values of a requirement that are not strings. The API server requires strings, and rejects an unquoted number. */
function* typeFacts(context: RuleContext, requirement: Node): Iterable<BadNodeSelector> {
  for (const scalar of [childOf(requirement, 'key'), ...itemsOf(childOf(requirement, 'values'))]) {
    if (scalar?.kind !== 'scalar' || scalar.type === 'string' || scalar.type === 'null') continue;
    if (scalar.pattern !== undefined || isStringInKustomize(context, written(scalar))) continue;
    const message = localize`'${shorten(scalar.text)}' must be quoted; unquoted, it is a ${scalar.type}, not a string.`;
    const fix: Fix = { title: localize`Quote the value`, edits: [quoteAsTyped(written(scalar))], preferred: true };
    yield { span: scalar.span, message, fix };
  }
}

/** Yields a finding if the weight of a preferred term is missing or invalid. The weight is next to the term, in the map that contains both. */
function* weightFact({ site, parent: preferred }: NodeSelectorSite): Iterable<BadNodeSelector> {
  if (site.fact.role !== 'nodePreference') return;
  if (preferred === undefined || mayHoldMore(preferred)) return;
  const entry = entryOf(preferred, 'weight');
  const weight = entry?.value;
  const wanted = localize`\`weight\` must be an integer between ${minWeight} and ${maxWeight}, inclusive`;
  if (entry === undefined) yield { span: site.keySpan, message: localize`${wanted}; it is missing.` };
  else if (weight?.kind !== 'scalar' || weight.type === 'null') yield { span: entry.key.span, message: `${wanted}.` };
  else if (weight.pattern === undefined && !isWeight(weight)) {
    // Without its quotes, a number with a leading zero is octal.
    const isNumber = weight.type === 'string' && isInRange(weight.text) && !weight.text.startsWith('0');
    const number = isNumber ? weight.text : undefined;
    const message = localize`${wanted}, not ${weight.type === 'string' ? localize`the string ` : ''}'${shorten(weight.text)}'.`;
    const edits = [{ span: weight.span, text: number ?? '' }];
    yield {
      span: weight.span,
      message,
      ...(number !== undefined && { fix: { title: localize`Remove the quotes`, edits, preferred: true } }),
    };
  }
}

function isWeight(weight: ScalarNode): boolean {
  // Other notations of numbers are also accepted, such as 0x10.
  if (weight.type !== 'number') return false;
  return /^[+-]?\d+$/.test(weight.text) ? isInRange(weight.text) : !/^\d*\.[\d.]*$/.test(weight.text);
}

function isInRange(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= minWeight && Number(text) <= maxWeight;
}
