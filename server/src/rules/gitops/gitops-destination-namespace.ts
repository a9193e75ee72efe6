/** Reports a destination namespace of an Application that contains none of the objects of the Application. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Node, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { nameNote } from '../helpers/gitops-definitions.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface Unused extends Fact {
  readonly destination: ScalarNode;
  readonly count: number;
  /** The namespace of the Application's first object that has a namespace. */
  readonly other: string;
}

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.com/shop.git
    path: apps/shop
  destination:
    server: https://kubernetes.default.svc
    namespace: staging
`;

const settings = (metadata: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
${metadata}data:
  level: info
`;

export const gitopsDestinationNamespace = rule<Unused>({
  id: 'gitops-destination-namespace',
  severity: 'hint',
  needs: 'gitops',
  acrossFiles: true,
  summary: 'A destination namespace of an Application whose objects are all in other namespaces.',
  why: 'The destination namespace of an Application applies only to objects without a namespace. Argo CD never changes a namespace in a manifest, and applies an object with a namespace to that namespace. The rule reports a destination only if all objects of the Application are known, and never the namespace `default`, which is a common placeholder.',
  withoutFix: 'Only the author knows which of the namespaces is intended.',
  bad: [
    {
      title: 'A manifest with a different namespace.',
      file: 'argocd/shop.yaml',
      text: application,
      beside: { 'apps/shop/settings.yaml': settings('  namespace: prod\n') },
    },
  ],
  good: [
    {
      title: 'A manifest without a namespace.',
      file: 'argocd/shop.yaml',
      text: application,
      beside: { 'apps/shop/settings.yaml': settings('') },
    },
  ],
  *check(context) {
    const { workspace, catalogue, stored, uri } = context;
    for (const object of stored) {
      const destination = destinationOf(object);
      const [scope] = destination?.kind === 'scalar' ? scopesDefinedBy(workspace, uri, object) : [];
      const namespace = scope?.gitops.facts.targetNamespace;
      if (destination?.kind !== 'scalar' || namespace !== destination.text || scope?.closed !== true) continue;
      if (namespace === placeholder) continue;
      if (!isAppliedAsWritten(context, scope, object, (each) => [destinationOf(each)])) continue;
      const rendering = workspace.rendering(scope.path, catalogue);
      const others = (rendering?.isWhole && objectsBeside(namespace, rendering.objects, catalogue)) || [];
      const [first] = others;
      if (first === undefined) continue;
      const other = first.object.namespace?.text ?? '';
      const related = nameNote(
        workspace,
        first,
        localize`${objectNameOf(first.object)} is in namespace '${shorten(other)}'.`,
      );
      yield { span: destination.span, destination, count: others.length, other, related };
    }
  },
  message({ destination, count, other }) {
    const [namespace, first] = [shorten(destination.text), shorten(other)];
    if (count === 1)
      return localize`No object is in destination namespace '${namespace}'; the only namespaced object is in namespace '${first}'.`;
    return localize`No object is in destination namespace '${namespace}'; all ${count} namespaced objects are in other namespaces, such as '${first}'.`;
  },
  fixes: () => [],
});

/** The namespace that many Applications name only because the field is usually present. */
const placeholder = 'default';

function destinationOf({ gitopsSpec }: ManifestObject): Node | undefined {
  return nodeAt(gitopsSpec, 'destination', 'namespace');
}

/** Returns all objects that have a namespace; undefined if one of these namespaces is unknown or is the destination namespace. */
function objectsBeside(
  destination: string,
  objects: readonly EffectiveObject[],
  catalogue: Catalogue,
): readonly EffectiveObject[] | undefined {
  const namespaced: EffectiveObject[] = [];
  for (const each of objects) {
    const { group, version, kind, namespace, name, gitopsSpec } = each.object;
    // Applications that an Application creates are in the namespace of Argo CD, so its destination namespace has no
    // effect on them.
    if (gitopsSpec !== undefined || (makesNamespace(each.object) && name?.value === destination)) return undefined;
    if (catalogue.kind(group, version, kind)?.namespaced === false) continue;
    if (typeof namespace?.value !== 'string' || namespace.value === destination) return undefined;
    namespaced.push(each);
  }
  return namespaced;
}
