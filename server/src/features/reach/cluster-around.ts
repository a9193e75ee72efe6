/** Builds the cluster model for an object in the editor: the objects that its scope, and the GitOps objects of the same cluster, apply, as input for the reachability engine. */

import type { ManifestObject } from '../../manifests/model.ts';
import { clusterOfScope, filesInClusterOf } from '../../workspace/reach/applied-clusters.ts';
import { type Cluster, isAtHome } from '../../workspace/reach/cluster.ts';
import { podEnds } from '../../workspace/reach/summaries.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { FileView } from '../view.ts';

/** The maximum number of files in the cluster of a scope; in a larger cluster, too many objects would have to be deserialized at every keystroke. The command line has no such limit. */
const maximumFiles = 2_000;

/** Returns the cluster model for the active scope of an object; undefined if the cluster has no policies or is too large. */
export function clusterAround(view: FileView, object: ManifestObject, limit = maximumFiles): Cluster | undefined {
  if (!view.complete || object.inline || object.inValues) return undefined;
  const scopes = view.workspace.scopes().of(placeOf({ file: view.file, object }));
  const [lead] = leadFirst(
    scopes.map((scope) => ({ scope })),
    view.perspective,
  );
  if (lead === undefined || filesInClusterOf(view.workspace.scopes(), lead.scope) > limit) return undefined;
  const cluster = clusterOfScope(view.workspace, view.catalogue, lead.scope);
  return cluster.policies.length === 0 ? undefined : cluster;
}

/** Returns the workloads in the cluster model that an object of the file defines. */
export function workloadsAt(view: FileView, cluster: Cluster, object: ManifestObject) {
  return podEnds(cluster).filter(
    ({ workload: { where } }) => isSameObject(where, { file: view.file, object }) && isAtHome(cluster, where),
  );
}

/** Returns the index of the policy that an object of the file defines; -1 if it does not define a policy. */
export function policyAt(view: FileView, cluster: Cluster, object: ManifestObject): number {
  return cluster.policies.findIndex(
    ({ where }) => isSameObject(where, { file: view.file, object }) && isAtHome(cluster, where),
  );
}
