/** Finds the clusters to which the network policies of a file apply, for rules. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Tier } from '../../engine/index.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { isSameObject } from '../same-object.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { clusterOfScope, filesInClusterOf } from './applied-clusters.ts';
import { type Cluster, isAtHome, type PolicyObject } from './cluster.ts';

export interface PolicyInCluster {
  readonly cluster: Cluster;
  readonly index: number;
  readonly policy: PolicyObject;
  /** Whether all restrictions and permissions in the cluster are known. */
  readonly isComplete: boolean;
}

/** The tiers of policies that rules compare with each other. */
const ofKubernetes: ReadonlySet<Tier> = new Set<Tier>(['Admin', 'NetworkPolicy', 'Baseline']);

/** The maximum number of files in the cluster of a scope, because all its objects are deserialized after every pause in typing. */
const maximumFiles = 2_000;

/** Returns a policy in the cluster of each scope that applies it; undefined if some restrictions or permissions may be unknown: files that were not loaded, policies that the API server rejects, or other kinds of policies. */
export function policyInCompleteClusters(
  workspace: Workspace,
  catalogue: Catalogue,
  where: ObjectInFile,
): readonly PolicyInCluster[] | undefined {
  const placed = policyInScopes(workspace, catalogue, where);
  return placed?.every(({ isComplete }) => isComplete) ? placed : undefined;
}

/** Returns a policy in the cluster of each scope that applies it; undefined if one of these scopes may apply further objects. */
export function policyInScopes(
  workspace: Workspace,
  catalogue: Catalogue,
  where: ObjectInFile,
): readonly PolicyInCluster[] | undefined {
  const { appliedBy } = workspace;
  const scopes = appliedBy === undefined ? workspace.scopes().of(placeOf(where)) : [appliedBy];
  const found: PolicyInCluster[] = [];
  for (const scope of scopes) {
    if (scope.closed !== true || scope.unread) return undefined;
    if (scope.gitops !== undefined) workspace.questions?.note({ about: 'gitops' });
    if (filesInClusterOf(workspace.scopes(), scope) > maximumFiles) return undefined;
    if (scope.gitops !== undefined) workspace.questions?.note({ about: 'cluster' });
    else workspace.questions?.noteAround({ about: 'around' });
    const cluster = clusterOfScope(workspace, catalogue, scope);
    const index = cluster.policies.findIndex(
      (each) => isSameObject(each.where, where) && isAtHome(cluster, each.where),
    );
    const policy = cluster.policies[index];
    if (policy === undefined) return undefined;
    const { rejected, others, reachability } = cluster;
    const { policies, policiesOpen } = reachability.world;
    const areOfKubernetes = policies.every(({ tier }) => tier === undefined || ofKubernetes.has(tier));
    const isComplete = rejected.length === 0 && others.length === 0 && areOfKubernetes && !policiesOpen;
    found.push({ cluster, index, policy, isComplete });
  }
  return found.length === 0 ? undefined : found;
}
