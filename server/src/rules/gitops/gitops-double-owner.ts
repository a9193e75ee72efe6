/** Reports objects that two GitOps objects in the same cluster apply. */

import { isTrue } from '../../manifests/kustomize/kustomization-fields.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { childOf, nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import {
  definitionIn,
  type GitopsScope,
  isGitopsScope,
  scopesApplying,
} from '../../workspace/gitops/defined-scopes.ts';
import type { Workspace } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { identityOf, placeOf } from '../../workspace/scopes/scope-facts.ts';
import { folderOf } from '../../workspace/uri.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { makesNamespace } from '../helpers/namespaces.ts';
import { shorten } from '../helpers/sentences.ts';

interface Shared extends Fact {
  readonly object: ManifestObject;
  readonly owners: readonly [GitopsScope, GitopsScope];
  readonly related: readonly Related[];
}

export const gitopsDoubleOwner = rule<Shared>({
  id: 'gitops-double-owner',
  severity: 'warning',
  acrossFiles: true,
  summary: 'An object that two Flux Kustomizations, or two Applications, apply to the same cluster.',
  why: 'Both owners write their mark of ownership into the object at every reconciliation. When one of them is deleted, or no longer contains the object, the object is deleted from the cluster although the other owner still defines it. A common cause is that the path of one Kustomization contains the path of the other. The rule reports an object only if its name and namespace are known in both owners, and if both owners are defined in the same folder or applied by the same object.',
  withoutFix: 'Only the author knows which of the two is intended to apply the object.',
  bad: [
    {
      title: 'The path of one Kustomization contains the path of the other.',
      file: 'apps/shop/shop.yaml',
      text: `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps
  namespace: flux-system
spec:
  interval: 10m
  path: ./apps
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: shop
  namespace: flux-system
spec:
  interval: 10m
  path: ./apps/shop
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
  namespace: shop
`,
    },
  ],
  good: [
    {
      title: 'An object that two Kustomizations apply to two namespaces.',
      file: 'apps/shop.yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
`,
      beside: {
        'flux/shop.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: blue
  namespace: flux-system
spec:
  interval: 10m
  path: ./apps
  targetNamespace: blue
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: green
  namespace: flux-system
spec:
  interval: 10m
  path: ./apps
  targetNamespace: green
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
`,
      },
    },
  ],
  *check(context) {
    const { workspace, stored, file } = context;
    for (const object of stored) {
      const { name } = object;
      if (name === undefined || isExempt(object)) continue;
      const scopes = scopesApplying(workspace, placeOf({ file, object })).filter((scope) => isActive(workspace, scope));
      if (scopes.length < 2 || scopes.length > maximumScopes) continue;
      const owners = ownersOf(context, object, scopes);
      if (owners === undefined) continue;
      const related = owners.flatMap(({ gitops }): readonly Related[] => {
        const defining = workspace.files.get(gitops.uri);
        const at = definitionIn(gitops, workspace.files)?.name;
        const message = localize`'${shorten(gitops.facts.name)}' is defined here.`;
        return defining === undefined || at === undefined ? [] : [{ file: defining, span: at.span, message }];
      });
      yield { span: name.span, object, owners, related };
    }
  },
  message({ object, owners: [one, other] }) {
    const [first, second] = [one, other].map(({ gitops }) => shorten(gitops.facts.name));
    return localize`${object.kind} '${shorten(object.name?.text ?? '')}' is applied by both '${first}' and '${second}'; if one of them is deleted, the object is deleted too.`;
  },
  fixes: () => [],
});

/** The maximum number of scopes of an object that are compared with each other. */
const maximumScopes = 20;

/** Whether an object is exempt from the rule: many repositories repeat Namespaces and CustomResourceDefinitions, and a GitOps object may be applied both by the bootstrap command and by itself. */
function isExempt(object: ManifestObject): boolean {
  const { group, defines, gitopsSpec } = object;
  return makesNamespace(object) || defines !== undefined || gitopsSpec !== undefined || group.endsWith('.fluxcd.io');
}

/** Whether the definition of a GitOps object, as it is in its file, is not suspended and applies to its own cluster. */
function isActive({ files }: Workspace, { gitops }: GitopsScope): boolean {
  const spec = definitionIn(gitops, files)?.gitopsSpec;
  return spec !== undefined && !isTrue(spec, 'suspend') && childOf(spec, 'kubeConfig') === undefined;
}

/** Returns two scopes in the same cluster that apply an object with the same name and namespace; undefined if there are none. */
function ownersOf(
  context: RuleContext,
  object: ManifestObject,
  scopes: readonly GitopsScope[],
): Shared['owners'] | undefined {
  const { workspace, catalogue, uri } = context;
  const byIdentity = new Map<string, GitopsScope[]>();
  for (const scope of scopes) {
    const built = workspace.rendering(scope.path, catalogue)?.objects ?? [];
    const own = built.filter((each) => isSameObject(each, { file: { uri }, object }));
    for (const each of own) {
      const identity =
        isKnown(each.object.name) && isKnown(each.object.namespace) ? identityOf(each.object) : undefined;
      if (identity === undefined || !isActiveObject(each.object)) continue;
      const others = byIdentity.get(identity) ?? [];
      const other = others.find((another) => another !== scope && share(workspace, another, scope));
      if (other !== undefined && [other, scope].every((owner) => hasOwnCluster(context, owner))) return [other, scope];
      byIdentity.set(identity, [...others, scope]);
    }
  }
  return undefined;
}

/** Whether a GitOps object is applied with the cluster that is written in its file. */
function hasOwnCluster({ workspace, catalogue }: RuleContext, scope: GitopsScope): boolean {
  const { gitops } = scope;
  const definition = definitionIn(gitops, workspace.files);
  return (
    definition !== undefined &&
    isAppliedAsWritten({ workspace, catalogue, uri: gitops.uri }, scope, definition, ({ gitopsSpec: spec }) => [
      ...['destination', 'kubeConfig', 'suspend'].map((key) => childOf(spec, key)),
      nodeAt(spec, 'template', 'spec', 'destination'),
    ])
  );
}

function isKnown(written: Written | undefined): boolean {
  return typeof written?.value === 'string';
}

/** Whether the controller applies the object; an annotation or label of the object can exclude it. */
function isActiveObject({ labelSites }: ManifestObject): boolean {
  const entries = labelSites.filter(({ path }) => path.startsWith('metadata.')).flatMap((site) => site.entries);
  return !entries.some(({ key, value }) => {
    return (
      key.text === 'kustomize.toolkit.fluxcd.io/reconcile' || (key.text.endsWith('/ssa') && value.text !== 'Override')
    );
  });
}

/** Whether two definitions may be alternative versions of the same GitOps object, because they have the same name. */
function mayBeOne({ gitops: { facts: one } }: GitopsScope, { gitops: { facts: other } }: GitopsScope): boolean {
  const areEqual = one.namespace === other.namespace || one.namespace === '' || other.namespace === '';
  return one.name === other.name && areEqual;
}

/** Whether two GitOps objects of the same kind are certainly in the same cluster, because the same folder or object contains both. */
function share(workspace: Workspace, a: GitopsScope, b: GitopsScope): boolean {
  const [cluster, other] = [a.gitops.facts.cluster, b.gitops.facts.cluster];
  if (a.kind !== b.kind || cluster !== other || mayBeOne(a, b)) return false;
  // The destination of an Application determines its cluster; if it is unknown, the Application may apply to any
  // cluster.
  if (a.kind === 'argo-application' && cluster === undefined) return false;
  // With unknown parameters, each Application may be one of another instance of Argo CD.
  if ([a, b].some(({ gitops }) => gitops.facts.from?.parameters.open === true)) return false;
  // Two releases of one chart are usually those of two clusters.
  const [rendered, another] = [a.gitops.facts.rendered, b.gitops.facts.rendered];
  if (rendered?.by !== another?.by && a.gitops.uri === b.gitops.uri) return false;
  if (folderOf(a.gitops.uri) === folderOf(b.gitops.uri)) return true;
  const scopes = workspace.scopes();
  const around = ({ gitops }: GitopsScope) => scopes.of(gitops.uri).filter(isGitopsScope);
  const above = around(b);
  return above.includes(a) || around(a).some((scope) => scope === b || above.includes(scope));
}
