/** Reports rules of network policies that have no effect. */

import { type Direction, type Rule, ruleImplies } from '../../engine/index.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { entryOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { policyIn, ruleAt, rulesOf } from '../../workspace/reach/policy-parts.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Ineffective extends Fact {
  readonly direction: Direction;
  /**
   * The number, starting at 1, of the rule that already allows everything that the ineffective rule allows; undefined
   * if the rule has no effect because `policyTypes` lacks its direction.
   */
  readonly by?: number;
  /** The end of the list of `policyTypes`, if a type can be added to it. */
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
      if (policyKindOf(object) !== 'NetworkPolicy' || object.policySpec === undefined) continue;
      const read = policyIn(object);
      if (!read.ok) continue;
      for (const direction of ['ingress', 'egress'] as const) {
        const { covers, rules } = read.value[direction];
        if (covers === 'no') yield* uncovered(object, direction, rules);
        else yield* implied(object, direction, rules);
      }
    }
  },
  message: ({ direction, by }) =>
    by === undefined
      ? localize`\`policyTypes\` does not include ${typeOf[direction]}, so these rules have no effect and ${direction} is not restricted.`
      : localize`This rule has no effect: rule ${by} already allows everything that this rule allows.`,
  fixes({ direction, types }) {
    if (types === undefined) return [];
    const type = typeOf[direction];
    const text = types.isFlow ? `, ${type}` : `\n${' '.repeat(types.column)}- ${type}`;
    const title = localize`Add ${type} to policyTypes`;
    return [{ title, edits: [{ span: types.at, text }], preferred: true }];
  },
});

const typeOf = { ingress: 'Ingress', egress: 'Egress' } as const;

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
