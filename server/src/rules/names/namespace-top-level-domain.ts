/** Is a namespace called like a public top-level domain? */

import type { Written } from '../../manifests/model.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { makesNamespace } from '../helpers/namespaces.ts';
import { isTopLevelDomain } from '../helpers/top-level-domains.ts';

interface PublicName extends Fact {
  readonly name: Written;
}

export const namespaceTopLevelDomain = rule<PublicName>({
  id: 'namespace-top-level-domain',
  severity: 'off',
  summary: 'A namespace with the name of a public top-level domain, such as `com` or `dev`.',
  why: 'The short DNS name of a Service is its name and that of its namespace. In a namespace `dev` a Service `web` is found as `web.dev`, so that a pod which looks for the public `web.dev` reaches the Service instead.',
  withoutFix: 'Another name is another namespace: whatever refers to it has to follow.',
  bad: [
    {
      title: 'Every Service in it hides a public name.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: dev
`,
    },
  ],
  good: [
    {
      title: 'With a second word the name is no domain.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop-dev
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const { name } = object;
      if (!makesNamespace(object) || typeof name?.value !== 'string') continue;
      if (isTopLevelDomain(name.value)) yield { span: name.span, name };
    }
  },
  say: ({ name }) =>
    `Namespace '${name.text}' is called like a public top-level domain: pods may reach a Service in it instead of a public 'NAME.${name.text}'.`,
  mend: () => [],
});
