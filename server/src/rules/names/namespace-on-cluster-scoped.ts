/** Does an object name a namespace that lives in none? */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { conditionalPlaces } from '../helpers/certain-objects.ts';

interface NeedlessNamespace extends Fact {
  readonly object: ManifestObject;
  readonly namespace: Written;
}

export const namespaceOnClusterScoped = rule<NeedlessNamespace>({
  id: 'namespace-on-cluster-scoped',
  severity: 'warning',
  summary: 'A namespace on an object that lives in none.',
  why: 'Objects of this kind belong to the whole cluster: the namespace is dropped, and the object that the reader takes for one of a team is there for everyone. Two of them with different namespaces and one name are the same object.',
  bad: [
    {
      title: 'A ClusterRole is not of a namespace.',
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
      title: 'A Role is.',
      text: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: prices-reader
  namespace: shop
`,
    },
  ],
  *check(context) {
    const isConditional = conditionalPlaces(context);
    for (const object of context.stored) {
      const { namespace } = object;
      if (namespace === undefined || namespace.value === '') continue;
      const fact = context.catalogue.kind(object.group, object.version, object.kind);
      if (fact?.namespaced !== false || isConditional(namespace.span)) continue;
      yield { span: namespace.span, object, namespace, tags: ['unnecessary'] };
    }
  },
  say: ({ object }) => `\`namespace\` is dropped here: an object of kind ${object.kind} belongs to the whole cluster.`,
  mend({ namespace }, { text }) {
    const edit = removeField(text, 'namespace', namespace.span);
    return edit === undefined ? [] : [{ title: 'Remove the namespace', edits: [edit], preferred: true, safe: true }];
  },
});
