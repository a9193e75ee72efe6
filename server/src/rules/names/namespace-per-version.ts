/** Reports Namespaces that separate versions of the same objects. */

import type { ManifestObject } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Workspace } from '../../workspace/model.ts';
import { identitiesIn } from '../../workspace/references/names.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Versioned extends Fact {
  readonly object: ManifestObject;
  readonly other: string;
  readonly shared: string;
}

export const namespacePerVersion = rule<Versioned>({
  id: 'namespace-per-version',
  severity: 'off',
  needs: 'stored',
  acrossFiles: true,
  summary: 'A Namespace for one version of an application, next to a Namespace for a different version.',
  why: 'Namespaces separate teams and projects. Objects that differ only in their version can be in one namespace: labels distinguish them, and a Service can select one version or all of them. The rule reports two Namespaces whose names differ only in a version (`shop-v1`, `shop-v2`) and that contain an object of the same kind and name.',
  withoutFix: 'In a shared namespace, the objects need different names.',
  bad: [
    {
      title: 'The same Service in two namespaces.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop-v1
---
apiVersion: v1
kind: Service
metadata:
  name: basket
  namespace: shop-v1
spec:
  ports: [{port: 80}]
---
apiVersion: v1
kind: Service
metadata:
  name: basket
  namespace: shop-v2
spec:
  ports: [{port: 80}]
`,
    },
  ],
  good: [
    {
      title: 'A namespace for a project.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
`,
    },
  ],
  *check({ stored, workspace }) {
    for (const object of stored) {
      const { name } = object;
      const version = /^(.{1,60})-v\d{1,3}$/.exec(name?.text ?? '');
      if (!makesNamespace(object) || typeof name?.value !== 'string' || version === null) continue;
      const found = otherVersion(workspace, name.value, version[1] ?? '');
      if (found !== undefined) yield { span: name.span, object, ...found };
    }
  },
  message: ({ object, other, shared }) =>
    localize`Namespaces '${shorten(object.name?.text ?? '')}' and '${shorten(other)}' both contain ${shared}; labels can distinguish versions in one namespace.`,
  fixes: () => [],
});

/** Returns another namespace with the same base name that contains an object with the same kind and name. */
function otherVersion(workspace: Workspace, own: string, base: string) {
  const scopes = workspace.scopes();
  const contents = new Map<string, Set<string>>();
  for (const [uri, identity] of identitiesIn(workspace)) {
    const [, kind = '', namespace = '', name = ''] = identity.split('\n');
    if (!namespace.startsWith(`${base}-v`) || !/^\d{1,3}$/.test(namespace.slice(base.length + 2))) continue;
    if (scopes.isPatch(uri)) continue;
    const known = contents.get(namespace) ?? new Set();
    contents.set(namespace, known.add(`${kind}/${shorten(name)}`));
  }
  for (const [other, theirs] of contents) {
    const shared = other === own ? undefined : [...theirs].find((each) => contents.get(own)?.has(each));
    if (shared !== undefined) return { other, shared };
  }
  return undefined;
}
