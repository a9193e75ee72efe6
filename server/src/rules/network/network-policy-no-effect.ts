/** Reports rules of network policies that have no effect. */

import { type Direction, type Rule, ruleImplies } from '../../engine/index.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import { networkRoleOf } from '../../manifests/kinds/network-spec.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, entryOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { policyIn, ruleAt, rulesOf } from '../../workspace/reach/policy-parts.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Ineffective extends Fact {
  readonly direction: Direction;
  /**
   * The number, starting at 1, of the rule that already allows everything that the ineffective rule allows; undefined
   * if the rule has no effect because the list of types lacks its direction.
   */
  readonly by?: number;
  /** The field with the list of types, if it is not `policyTypes`. */
  readonly field?: 'types';
  /** The end of the list of types, if a type can be added to it. */
  readonly types?: { readonly at: Span; readonly isFlow: boolean; readonly column: number };
}

const policy = (spec: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: web
spec:
  podSelector: {}
${spec}`;

export const networkPolicyNoEffect = rule<Ineffective>({
  id: 'network-policy-no-effect',
  severity: 'warning',
  needs: 'policies',
  asApplied: true,
  summary: 'A rule of a NetworkPolicy that has no effect.',
  why: '`policyTypes` determines which directions a policy covers. Rules for a direction that `policyTypes` does not list are ignored, so pods are not isolated in that direction as the author expects. A rule that allows only connections that another rule of the policy also allows has no effect either: rules are ORed, so no rule restricts another rule.',
  bad: [
    {
      title: '`policyTypes` does not contain `Egress`.',
      text: policy(`  policyTypes: [Ingress]
  ingress: []
  egress:
    - ports: [{port: 443}]
`),
    },
    {
      title: 'The second rule allows more than the first one.',
      text: policy(`  ingress:
    - from: [{podSelector: {matchLabels: {app: web}}}]
      ports: [{port: 80}]
    - from: [{podSelector: {}}]
`),
    },
  ],
  good: [
    {
      title: 'Each rule allows connections that no other rule allows.',
      text: policy(`  ingress:
    - from: [{podSelector: {matchLabels: {app: web}}}]
      ports: [{port: 80}]
    - ports: [{port: 443}]
`),
    },
  ],
  *check({ stored }) {
    for (const object of stored) {
      if (networkRoleOf(object) === 'calico policy')
        for (const direction of directions) yield* unlisted(childOf(object.networkSpec, 'spec'), direction);
      if (policyKindOf(object) !== 'NetworkPolicy' || object.policySpec === undefined) continue;
      const read = policyIn(object);
      if (!read.ok) continue;
      for (const direction of directions) {
        const { covers, rules } = read.value[direction];
        if (covers === 'no') yield* uncovered(object, direction, rules);
        else yield* implied(object, direction, rules);
      }
    }
  },
  message: ({ direction, by, field = 'policyTypes' }) =>
    by === undefined
      ? localize`\`${field}\` does not include ${typeOf[direction]}, so these rules have no effect and ${direction} is not restricted.`
      : localize`This rule has no effect: rule ${by} already allows everything that this rule allows.`,
  fixes({ direction, types, field = 'policyTypes' }) {
    if (types === undefined) return [];
    const type = typeOf[direction];
    const text = types.isFlow ? `, ${type}` : `\n${' '.repeat(types.column)}- ${type}`;
    const title = localize`Add ${type} to ${field}`;
    return [{ title, edits: [{ span: types.at, text }], preferred: true }];
  },
});

const directions = ['ingress', 'egress'] as const;

const typeOf = { ingress: 'Ingress', egress: 'Egress' } as const;

/** Yields the rules of a policy of Calico for a direction that its types do not include. */
function* unlisted(spec: Node | undefined, direction: Direction): Iterable<Ineffective> {
  const [entry, list] = [entryOf(spec, direction), entryOf(spec, 'types')];
  if (entry === undefined || list === undefined || list.conditional || entry.conditional) return;
  if (entry.key.origin !== undefined || list.value.kind !== 'list' || list.value.open) return;
  const types = list.value.items.map((item) => (item.kind === 'scalar' && item.pattern === undefined ? item.text : ''));
  const areKnown = types.length > 0 && types.every((type) => type === 'Ingress' || type === 'Egress');
  if (!areKnown || types.includes(typeOf[direction]) || itemsOf(entry.value).length === 0) return;
  const at = typesOf(list.value);
  yield { span: entry.key.span, direction, tags: ['unnecessary'], field: 'types', ...(at && { types: at }) };
}

function* uncovered(object: ManifestObject, direction: Direction, rules: readonly Rule[]): Iterable<Ineffective> {
  const entry = entryOf(object.policySpec, direction);
  if (rules.length === 0 || entry === undefined || entry.key.origin !== undefined) return;
  const types = typesOf(entryOf(object.policySpec, 'policyTypes')?.value);
  yield { span: entry.key.span, direction, tags: ['unnecessary'], ...(types && { types }) };
}

/** Returns the end of the last item of `policyTypes`, and the style of the list. */
function typesOf(list: Node | undefined): Ineffective['types'] {
  if (list?.kind !== 'list') return undefined;
  const last = list.items.at(-1);
  if (last?.kind !== 'scalar' || last.origin !== undefined) return undefined;
  const { end } = last.span;
  // Only a list in brackets is edited: the column of a block list is unknown here.
  return list.flow ? { at: { start: end, end }, isFlow: true, column: 0 } : undefined;
}

function* implied(object: ManifestObject, direction: Direction, rules: readonly Rule[]): Iterable<Ineffective> {
  if (rules.length > maximumRules) return;
  for (const [index, narrow] of rules.entries()) {
    const wide = rules.findIndex((other, at) => {
      if (at === index || !ruleImplies(narrow, other)) return false;
      // Of two equivalent rules, only the second is reported.
      return at < index || !ruleImplies(other, narrow);
    });
    const node = rulesOf(object, direction)[narrow.index];
    const [entry] = node?.kind === 'map' ? node.entries : [];
    if (wide === -1 || ruleAt(object, direction, narrow.index)?.origin !== undefined) continue;
    const span = entry?.key.span ?? (node && { start: node.span.start, end: node.span.start + 1 });
    if (span !== undefined) yield { span, direction, by: (rules[wide]?.index ?? 0) + 1, tags: ['unnecessary'] };
  }
}

/** The maximum number of rules, since each rule is compared with all others. */
const maximumRules = 200;
