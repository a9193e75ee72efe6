/** Finds the objects that several GitOps objects apply, by the identities of the objects in the cluster. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { EffectiveObject, Workspace } from '../model.ts';
import { type GitopsScope, isGitopsScope } from './defined-scopes.ts';
import { clusterConfigOf } from './model.ts';

/** Returns the term of a rendering for an object that a GitOps object certainly applies and keeps as it is defined; undefined if its identity is unknown, or if an existing object in the cluster is not overwritten. */
export function ownedTerm(
  catalogue: Catalogue,
  { object, written }: Pick<EffectiveObject, 'object' | 'written'>,
): string | undefined {
  const { group, version, kind, name, namespace, forCluster, conditions } = object;
  if (!forCluster || typeof name?.value !== 'string' || name.value === '' || conditions !== undefined) return undefined;
  const isNamespaced = catalogue.kind(group, version, kind)?.namespaced ?? true;
  const where = isNamespaced ? namespace?.value : '';
  if (typeof where !== 'string' || (isNamespaced && where === '')) return undefined;
  // Argo CD only adds labels to a Namespace that it creates for an Application.
  const isImplied = !written && group === '' && kind === 'Namespace';
  return isImplied || isLeftUnchanged(object) ? undefined : [prefix, group, kind, where, name.value].join('\n');
}

/** The beginning of every term of an owned object. */
const prefix = 'owned';

/** Whether a label or annotation prevents that an existing object is overwritten, or makes the object a hook, which is created for one run. */
export function isLeftUnchanged({ labelSites }: ManifestObject): boolean {
  const entries = labelSites.filter(({ path }) => path.startsWith('metadata.')).flatMap((site) => site.entries);
  return entries.some(({ key: { text: key }, value }) => {
    if (key === 'kustomize.toolkit.fluxcd.io/ssa') return value.text.toLowerCase() !== 'override';
    return ['kustomize.toolkit.fluxcd.io/reconcile', 'argocd.argoproj.io/hook', 'helm.sh/hook'].includes(key);
  });
}

/** Whether the cluster of a GitOps object can be compared with the clusters of others. With unknown parameters, each Application may be one of another instance of Argo CD. */
export function hasKnownCluster({ gitops }: GitopsScope): boolean {
  return clusterConfigOf(gitops) !== undefined && gitops.facts.from?.parameters.open !== true;
}

const owners = new WeakMap<Workspace, ReadonlyMap<string, readonly GitopsScope[]>>();

/** Returns the GitOps objects with known clusters that own the same object, in any of these clusters, by the term of the object; objects with one owner are not included. */
export function sharedObjects(workspace: Workspace, catalogue: Catalogue): ReadonlyMap<string, readonly GitopsScope[]> {
  return getOrAdd(owners, workspace, () => {
    const found = new Map<string, GitopsScope[]>();
    for (const scope of workspace.scopes().all()) {
      if (!isGitopsScope(scope) || !hasKnownCluster(scope)) continue;
      for (const term of workspace.terms(scope.path, catalogue)?.terms ?? [])
        if (term.startsWith(prefix)) getOrAdd(found, term, () => []).push(scope);
    }
    return new Map([...found].filter(([, { length }]) => length > 1));
  });
}
