/** Reports namespaces whose name begins with `kube-`, which is reserved for Kubernetes. */

import type { Written } from '../../manifests/model.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isReserved, reservedMessage } from '../helpers/reserved-namespace.ts';

interface ReservedName extends Fact {
  readonly name: Written;
}

export const namespaceReserved = rule<ReservedName>({
  id: 'namespace-reserved',
  severity: 'hint',
  needs: 'stored',
  summary: 'A namespace of your own whose name begins with `kube-`.',
  why: 'The prefix `kube-` is reserved for namespaces of the Kubernetes system. A later release may create a namespace with this name, and tools that skip system namespaces skip this one too.',
  withoutFix:
    'Kubernetes treats a renamed namespace as a different namespace, so every reference to the old name must change too.',
  bad: [
    {
      title: 'A namespace of your own.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: kube-shop
`,
    },
  ],
  good: [
    {
      title: 'A namespace that Kubernetes creates.',
      change: ['name: kube-shop', 'name: kube-system'],
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const { name } = object;
      if (!makesNamespace(object) || typeof name?.value !== 'string') continue;
      if (isReserved(name.value)) yield { span: name.span, name };
    }
  },
  message: reservedMessage,
  fixes: () => [],
});
