/** Lists the GitOps objects that may share the cluster of an object and that are not completely compared with it. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { GitopsObject } from '../gitops/model.ts';
import { type AppliedScope, appliedScope, comparedInCluster, mostCompared } from '../kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { scopesInCluster } from '../scopes/cluster.ts';
import type { Scope } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';

/** A GitOps object that is not completely compared. */
export interface Uncompared {
  readonly scope: Scope;
  /**
   * `external`: it applies charts or sources that are not in the files. `partial`: its objects are known only in part.
   * `excess`: it exceeds a limit on the number of compared GitOps objects. `elsewhere`: it is possibly applied to another
   * cluster.
   */
  readonly why: 'external' | 'partial' | 'excess' | 'elsewhere';
}

/** The maximum number of GitOps objects, other than those that are compared, that are examined. */
const mostExamined = 2_000;

/** Returns the other GitOps objects that may apply to the cluster of a GitOps object, and that are not completely compared with an object of it. A completely known GitOps object is only listed if `mayMatter` is true for what it applies. */
export function uncomparedWith(
  workspace: Workspace,
  catalogue: Catalogue,
  scope: Scope,
  mayMatter: (applied: AppliedScope) => boolean,
): readonly Uncompared[] {
  if (scope.gitops === undefined) return [];
  const scopes = workspace.scopes();
  const compared = new Set(comparedInCluster(scopes, [scope]));
  let examined = 0;
  const whyOf = (other: Scope): Uncompared['why'] | undefined => {
    const { gitops } = other;
    if (gitops === undefined || other === scope || scopes.relationOf(scope, other) === 'apart') return undefined;
    if (isExternal(gitops)) return 'external';
    if (!compared.has(other) && examined++ >= mostExamined) return 'excess';
    const whyNot = scopes.shareCluster(scope, other) ? 'excess' : 'elsewhere';
    const applied = appliedScope(workspace, catalogue, other);
    if (applied === undefined || !applied.rendering.isWhole) return compared.has(other) ? 'partial' : whyNot;
    return !compared.has(other) && mayMatter(applied) ? whyNot : undefined;
  };
  return scopes.all().flatMap((other) => {
    const why = whyOf(other);
    return why === undefined ? [] : [{ scope: other, why }];
  });
}

/** Whether all objects of the other GitOps objects that certainly apply to the cluster of a GitOps object are known and compared. */
export function isClusterKnown(workspace: Workspace, catalogue: Catalogue, scope: Scope): boolean {
  const others = scopesInCluster(workspace.scopes(), [scope], mostCompared + 1);
  if (others.length > mostCompared) return false;
  return others.every((other) => {
    if (other.gitops === undefined || isExternal(other.gitops)) return false;
    return appliedScope(workspace, catalogue, other)?.rendering.isWhole === true;
  });
}

/** Whether a GitOps object applies charts or sources that are not in the files. */
function isExternal({ contents, facts }: GitopsObject): boolean {
  return contents.includes(undefined) || facts.releases !== undefined;
}

/** Whether a GitOps object applies a Namespace with a name, whose labels may decide whether a selector matches objects in the namespace. */
export function appliesNamespace({ rendering }: AppliedScope, namespace: string): boolean {
  return rendering.objects.some(
    ({ object: { group, kind, name } }) => group === '' && kind === 'Namespace' && name?.text === namespace,
  );
}

/** Returns the objects of other scopes, as they are written, without those whose relation to an object is known: GitOps objects apply them all to its clusters, or to other clusters. `own` contains the scopes of the object. */
export function ofUnknownClusters<T extends ObjectInFile>(
  workspace: Workspace,
  catalogue: Catalogue,
  own: readonly Scope[],
  others: readonly T[],
): readonly T[] {
  if (others.length === 0 || own.length === 0 || own.some(({ gitops }) => gitops === undefined)) return others;
  const scopes = workspace.scopes();
  const isKnown = (scope: Scope) =>
    own.every(
      (each) => each === scope || scopes.shareCluster(each, scope) || scopes.relationOf(each, scope) === 'apart',
    ) && workspace.terms(scope.path, catalogue) !== undefined;
  return others.filter((each) => {
    const around = scopes.of(placeOf(each));
    return around.length === 0 || !around.every((scope) => scope.gitops !== undefined && isKnown(scope));
  });
}
