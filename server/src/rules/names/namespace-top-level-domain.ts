/** Reports namespaces with the name of a public top-level domain. */

import type { Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isTopLevelDomain } from '../helpers/top-level-domains.ts';

interface PublicName extends Fact {
  readonly name: Written;
}

export const namespaceTopLevelDomain = rule<PublicName>({
  id: 'namespace-top-level-domain',
  severity: 'off',
  needs: 'stored',
  summary: 'A namespace with the name of a public top-level domain, such as `com` or `dev`.',
  why: 'Pods can reach a Service as `SERVICE.NAMESPACE`. In a namespace `dev`, a Service `web` has the DNS name `web.dev`, so a pod that looks up the public name `web.dev` reaches the Service instead.',
  withoutFix:
    'Kubernetes treats a renamed namespace as a different namespace, so every reference to the old name must change too.',
  bad: [
    {
      title: 'A namespace whose Services hide public names.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: dev
`,
    },
  ],
  good: [
    {
      title: 'A name that is not a top-level domain.',
      change: ['name: dev', 'name: shop-dev'],
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const { name } = object;
      if (!makesNamespace(object) || typeof name?.value !== 'string') continue;
      if (isTopLevelDomain(name.value)) yield { span: name.span, name };
    }
  },
  message: ({ name }) =>
    localize`Namespace '${name.text}' has the name of a top-level domain; pods may reach a Service in it instead of the public 'NAME.${name.text}'.`,
  fixes: () => [],
});
