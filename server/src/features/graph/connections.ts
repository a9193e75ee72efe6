/** The connections that network policies allow between the workloads of a scope, as edges of a graph. */

import type { Direction, PodClass } from '../../engine/index.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { clusterOfScope } from '../../workspace/reach/applied-clusters.ts';
import { type Cluster, isAtHome } from '../../workspace/reach/cluster.ts';
import { decisionsBetween } from '../../workspace/reach/decisions.ts';
import { connectionsText, portsText } from '../../workspace/reach/sentences.ts';
import { podEnds } from '../../workspace/reach/summaries.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';
import type { ObjectEdge } from './object-graph.ts';

/** The maximum number of connections; a drawing with more lines is not readable. */
const maximumConnections = 2_000;

export interface ConnectionEdges {
  readonly edges: readonly ObjectEdge[];
  readonly isCut: boolean;
  readonly notes: readonly string[];
}

/** Returns the connections of a scope to which a policy applies. Connections between workloads that no policy isolates are allowed; a note states this instead of edges. `idOf` returns the node id of a workload. */
export function connectionsIn(
  { workspace, catalogue }: View,
  scope: Scope,
  idOf: (where: ObjectInFile) => string | undefined,
): ConnectionEdges {
  const cluster = clusterOfScope(workspace, catalogue, scope);
  if (cluster.policies.length === 0)
    return {
      edges: [],
      isCut: false,
      notes: [localize`These files contain no network policies, so they do not restrict any connections.`],
    };
  const edges: ObjectEdge[] = [];
  const ends = endsAtHome(cluster);
  const notes = notesOn(cluster);
  for (const from of ends) {
    const fromId = idOf(from.workload.where);
    for (const to of ends) {
      const toId = idOf(to.workload.where);
      if (fromId === undefined || toId === undefined || fromId === toId) continue;
      if (!isIsolated(cluster, from.peer, 'egress') && !isIsolated(cluster, to.peer, 'ingress')) continue;
      const decisions = decisionsBetween(cluster, from, to);
      if (decisions.length === 0) continue;
      if (edges.length === maximumConnections) return { edges, isCut: true, notes };
      const certain = decisions.some((each) => each.certain);
      const [a, b] = [objectName(from.workload.where.object), objectName(to.workload.where.object)];
      const { allowed, unknown } = cluster.reachability.connections(from.peer, to.peer);
      const rules = decisions.map(({ set, why, ...each }) =>
        each.certain === certain ? `${portsText(set)}: ${why}` : localize`unknown: ${portsText(set)}: ${why}`,
      );
      const reason = localize`${a} ${certain ? localize`may connect` : localize`is possibly allowed to connect`} to ${b}, on ${rules.join('; ')}`;
      const { file, object } = to.workload.where;
      const label = certain ? connectionsText({ allowed, unknown }) : portsText(unknown);
      const why = [...new Set(decisions.map((each) => each.why))].join('; ');
      edges.push({
        edge: { from: fromId, to: toId, relation: 'connects', label, certain, reason, why },
        place: { file, span: nameSpan(object) },
      });
    }
  }
  return { edges, isCut: false, notes };
}

function endsAtHome(cluster: Cluster) {
  return podEnds(cluster).filter(({ workload }) => isAtHome(cluster, workload.where));
}

function isIsolated({ reachability }: Cluster, pods: PodClass, direction: Direction): boolean {
  return reachability.policiesOn(pods, direction).key !== '';
}

function notesOn(cluster: Cluster): readonly string[] {
  const ends = endsAtHome(cluster);
  const open = ends.filter(({ peer }) => !isIsolated(cluster, peer, 'ingress') && !isIsolated(cluster, peer, 'egress'));
  if (open.length === 0) return [];
  return [
    localize`${open.length} of ${ends.length} workloads are not isolated by any policy: connections between these workloads are allowed and not drawn.`,
  ];
}
