/** Reports objects that two GitOps objects apply to the same cluster. */

import { helmGroup } from '../../manifests/gitops/spec.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type GitopsScope, scopesApplying } from '../../workspace/gitops/defined-scopes.ts';
import {
  hasKnownCluster,
  maximumOwners,
  otherOwner,
  ownedTerm,
  ownersOf,
} from '../../workspace/gitops/owned-objects.ts';
import type { Workspace } from '../../workspace/model.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { hasOwnCluster, isActive } from '../helpers/certain-cluster.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { definitionNote, gitopsNameOf, nameNote } from '../helpers/gitops-definitions.ts';
import { shorten } from '../helpers/sentences.ts';

interface Shared extends Fact {
  /** The kind and name of the object, and the namespace to which it is applied. */
  readonly what: string;
  readonly owners: readonly [GitopsScope, GitopsScope];
}

export const gitopsDoubleOwner = rule<Shared>({
  id: 'gitops-double-owner',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'An object that two Flux Kustomizations, HelmReleases or Argo CD Applications apply to the same cluster.',
  why: 'The two owners overwrite each other: Flux at each reconciliation, and Argo CD at each sync, for which it shows the condition SharedResourceWarning; with the sync option FailOnSharedResource=true, the sync fails instead. If one owner is deleted, or no longer contains the object, the object can be deleted from the cluster although the other owner still defines it. Common causes are a path that contains the path of another owner, and a copied folder. The rule reports an object only if its name and namespace are known in both owners, and if both owners certainly apply to the same cluster, because the same object applies the definitions of both; for an object in one file, it is sufficient that both are defined in the same folder. A Namespace and a source of Flux, such as an OCIRepository, are reported as information, because many repositories repeat them. CustomResourceDefinitions, Kustomizations of Flux, and objects of Argo CD are not reported.',
  withoutFix: 'Only the author knows which of the two is intended to apply the object.',
  bad: [
    {
      title: 'The path of one Kustomization contains the path of the other.',
      file: 'apps/shop/shop.yaml',
      text: `${fluxKustomization('apps', './apps')}---
${fluxKustomization('shop', './apps/shop')}---
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
        'flux/shop.yaml': `${fluxKustomization('blue', './apps', { target: 'blue' })}---
${fluxKustomization('green', './apps', { target: 'green' })}`,
      },
    },
  ],
  *check(context) {
    const { workspace, catalogue, stored, file, uri } = context;
    for (const object of stored) {
      const { name } = object;
      if (name === undefined || isExempt(object)) continue;
      const applying = scopesApplying(workspace, placeOf({ file, object })).filter(hasKnownCluster);
      const found = applying.slice(0, maximumOwners).flatMap((owner) => {
        const built = workspace.rendering(owner.path, catalogue)?.files.get(uri)?.manifest.objects ?? [];
        return built
          .filter(({ kindSpan }) => kindSpan.start === object.kindSpan.start)
          .flatMap((applied) => sharedWith(context, owner, applied) ?? []);
      });
      const [shared] = found;
      if (shared !== undefined)
        yield { span: name.span, ...shared, ...(isOftenRepeated(object) && { severity: 'information' }) };
    }
  },
  message({ what, owners: [one, other] }) {
    const [name, otherName] = [one, other].map(({ gitops }) => shorten(gitops.facts.name));
    if (one.kind === 'flux-kustomization' && other.kind === 'flux-kustomization')
      return localize`${what} is applied by Kustomizations '${name}' and '${otherName}': each reconciliation overwrites the other's version.`;
    if (one.kind === 'argo-application' && other.kind === 'argo-application')
      return localize`${what} is applied by Applications '${name}' and '${otherName}': each sync overwrites the other's version (SharedResourceWarning).`;
    return localize`${what} is applied by ${gitopsNameOf(one.gitops)} and ${gitopsNameOf(other.gitops)}, which overwrite each other's version.`;
  },
  fixes: () => [],
});

const sourceGroup = 'source.toolkit.fluxcd.io';

/** Whether an object is exempt from the rule: many charts and repositories repeat CustomResourceDefinitions, and a GitOps object, or the source of the cluster, may be applied both by the bootstrap command and by itself. */
function isExempt({ group, name, defines, gitopsSpec }: ManifestObject): boolean {
  if (group === helmGroup) return false;
  if (group === sourceGroup) return name?.text === 'flux-system';
  return defines !== undefined || gitopsSpec !== undefined || group.endsWith('.fluxcd.io');
}

/** Whether many repositories contain an object several times, with equal content. */
function isOftenRepeated(object: ManifestObject): boolean {
  return makesNamespace(object) || object.group === sourceGroup;
}

/** Returns a second owner of an object that a GitOps object applies; undefined if there is certainly none, or if it is uncertain. */
function sharedWith(
  context: RuleContext,
  owner: GitopsScope,
  object: ManifestObject,
): Pick<Shared, 'what' | 'owners' | 'related'> | undefined {
  const { workspace, catalogue, uri } = context;
  const term = ownedTerm(catalogue, { object, written: true });
  if (term === undefined || !isActive(workspace, owner)) return undefined;
  const others = ownersOf(workspace, catalogue, term);
  if (others.length < 2 || !hasOwnCluster(context, owner)) return undefined;
  const own = scopesApplying(workspace, uri);
  const isWanted = (each: GitopsScope) => isActive(workspace, each) && hasOwnCluster(context, each);
  const other = otherOwner(workspace, [owner, ...others], own, isWanted);
  if (other === undefined) return undefined;
  const owners = [owner, other] as const;
  const what = appliedName(context, object);
  return { what, owners, related: [...copyIn(context, other, term), ...definitionsOf(workspace, owners)] };
}

/** Returns the position of the object that another owner applies, unless it is in the checked file. */
function copyIn({ workspace, catalogue, uri }: RuleContext, owner: GitopsScope, term: string): readonly Related[] {
  const copy = workspace.rendering(owner.path, catalogue)?.objects.find((each) => ownedTerm(catalogue, each) === term);
  if (copy === undefined || copy.file.uri === uri) return [];
  return nameNote(workspace, copy, localize`${gitopsNameOf(owner.gitops)} applies this ${copy.object.kind}.`);
}

function appliedName({ catalogue }: RuleContext, { group, version, kind, name, namespace }: ManifestObject): string {
  const what = `${kind} '${shorten(name?.text ?? '')}'`;
  const isNamespaced = catalogue.kind(group, version, kind)?.namespaced ?? true;
  return namespace === undefined || !isNamespaced ? what : localize`${what} in namespace '${shorten(namespace.text)}'`;
}

/** Returns the positions of the definitions of two owners; a template or a set may define both at the same position. */
function definitionsOf(workspace: Workspace, owners: Shared['owners']): readonly Related[] {
  const found = owners.flatMap(({ gitops }) => definitionNote(workspace, gitops));
  const [one, other] = found;
  if (one === undefined || one.file !== other?.file || one.span !== other.span) return found;
  const [first, second] = owners.map(({ gitops }) => gitopsNameOf(gitops));
  return [{ ...one, message: localize`${first} and ${second} are defined here.` }];
}
