/** Reports terms of a node selector without requirements. Such a term matches no node, not every node. */

import { childOf, entryOf, mayHoldMore, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { nodeSelectorSites } from '../helpers/node-selectors.ts';
import { hasOperations } from '../helpers/patch-parts.ts';

interface EmptyTerm extends Fact {
  readonly alone: boolean;
}

export const nodeSelectorEmptyTerm = rule<EmptyTerm>({
  id: 'node-selector-empty-term',
  severity: 'warning',
  summary: 'A term without requirements in a required node affinity.',
  why: 'An empty term matches no node, unlike an empty label selector, which matches everything. If it is the only term, the pod is never scheduled.',
  withoutFix: 'Only the author knows on which nodes the pods may run.',
  bad: [
    {
      title: 'An empty term, which matches no node.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions: []
`,
    },
  ],
  good: [
    {
      title: 'A term with a requirement.',
      change: [
        '- matchExpressions: []',
        `- matchExpressions:
              - { key: disk, operator: Exists }`,
      ],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    for (const { site, node } of nodeSelectorSites(context)) {
      // A preferred term without requirements is ignored.
      const terms = site.fact.form === 'nodeSelector' ? childOf(node, 'nodeSelectorTerms') : undefined;
      const field = entryOf(node, 'nodeSelectorTerms')?.key.span;
      if (terms?.kind !== 'list' || field === undefined || context.manifest.unresolved) continue;
      for (const term of terms.items) {
        if (isEmpty(term)) yield { span: spanOf(term, field), alone: terms.items.length === 1 };
      }
    }
  },
  message({ alone }) {
    const effect = alone ? localize`so the pod is never scheduled` : localize`and can be removed`;
    return localize`A term without requirements matches no node, ${effect}.`;
  },
  fixes: () => [],
});

function isEmpty(term: Node): boolean {
  if (mayHoldMore(term)) return false;
  if (term.kind !== 'map') return term.kind === 'scalar' && term.type === 'null';
  return ['matchExpressions', 'matchFields'].every((name) => {
    const list = childOf(term, name);
    if (list === undefined) return true;
    return list.kind === 'list'
      ? list.items.length === 0 && !list.open
      : list.kind === 'scalar' && list.type === 'null';
  });
}

function spanOf(term: Node, field: Span): Span {
  const [first] = term.kind === 'map' ? term.entries : [];
  if (first !== undefined) return first.key.span;
  return term.span.end > term.span.start ? term.span : field;
}
