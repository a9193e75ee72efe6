/** Reports objects in the namespace `default`, for teams that do not use this namespace. */

import type { Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface InDefault extends Fact {
  readonly namespace: Written;
}

export const namespaceDefault = rule<InDefault>({
  id: 'namespace-default',
  severity: 'off',
  needs: 'stored',
  asApplied: true,
  summary: 'An object in the namespace `default`.',
  why: 'The Kubernetes documentation advises production clusters not to use `default`: objects that were created in this namespace by accident cannot be distinguished from objects that belong to it.',
  withoutFix: 'Only the author knows the intended namespace.',
  bad: [
    {
      title: 'An object in the namespace `default`.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: default
`,
    },
  ],
  good: [
    {
      title: 'An object in a namespace other than `default`.',
      change: ['namespace: default', 'namespace: shop'],
    },
  ],
  *check({ stored }) {
    for (const { namespace } of stored) {
      if (namespace?.value === 'default') yield { span: namespace.span, namespace };
    }
  },
  message: () => localize`The namespace is 'default'; production clusters should not use it.`,
  fixes: () => [],
});
