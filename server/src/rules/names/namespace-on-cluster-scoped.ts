/** Reports a `namespace` on objects of cluster-scoped kinds. */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';

interface NeedlessNamespace extends Fact {
  readonly object: ManifestObject;
  readonly namespace: Written;
}

export const namespaceOnClusterScoped = rule<NeedlessNamespace>({
  id: 'namespace-on-cluster-scoped',
  severity: 'warning',
  needs: 'stored',
  summary: 'A `namespace` on an object of a cluster-scoped kind.',
  why: 'Objects of cluster-scoped kinds do not belong to a namespace, so `kubectl` and the API server ignore the field. The object exists once for the whole cluster, although its manifest suggests otherwise. Two manifests with the same kind and name but different namespaces define the same object.',
  bad: [
    {
      title: 'A ClusterRole, which is cluster-scoped.',
      text: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: prices-reader
  namespace: shop
`,
    },
  ],
  good: [
    {
      title: 'A Role, which is namespaced.',
      change: ['kind: ClusterRole', 'kind: Role'],
    },
  ],
  *check(context) {
    const isConditional = conditionalPaths(context);
    for (const object of context.stored) {
      const { namespace } = object;
      if (namespace === undefined || namespace.value === '') continue;
      const fact = context.catalogue.kind(object.group, object.version, object.kind);
      if (fact?.namespaced !== false || isConditional(namespace.span)) continue;
      yield { span: namespace.span, object, namespace, tags: ['unnecessary'] };
    }
  },
  message: ({ object }) => localize`${object.kind} is cluster-scoped; \`namespace\` is ignored.`,
  fixes({ namespace }, { text }) {
    const edit = removeField(text, 'namespace', namespace.span);
    return edit === undefined
      ? []
      : [{ title: localize`Remove the namespace`, edits: [edit], preferred: true, safe: true }];
  },
});
