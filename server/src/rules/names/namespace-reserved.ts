/** Does a namespace take a name that Kubernetes keeps for itself? */

import type { Written } from '../../manifests/model.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { makesNamespace } from '../helpers/namespaces.ts';

interface ReservedName extends Fact {
  readonly name: Written;
}

const reserved = 'kube-';
const builtIn: ReadonlySet<string> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

export const namespaceReserved = rule<ReservedName>({
  id: 'namespace-reserved',
  severity: 'hint',
  summary: 'A namespace of your own whose name begins with `kube-`.',
  why: 'Kubernetes keeps this prefix for its own namespaces. A later release may bring one of that name, and tools that leave alone what belongs to the cluster leave this one alone too.',
  withoutFix: 'Another name is another namespace: whatever refers to it has to follow.',
  bad: [
    {
      title: 'A namespace of a team.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: kube-shop
`,
    },
  ],
  good: [
    {
      title: 'A namespace that Kubernetes makes itself.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: kube-system
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const { name } = object;
      if (!makesNamespace(object) || typeof name?.value !== 'string') continue;
      if (name.value.startsWith(reserved) && !builtIn.has(name.value)) yield { span: name.span, name };
    }
  },
  say: () => `The name of a namespace should not begin with '${reserved}': Kubernetes keeps this prefix for its own.`,
  mend: () => [],
});
