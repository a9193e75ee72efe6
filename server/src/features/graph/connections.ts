/** The connections that network policies allow between the workloads of a scope, as edges of a graph. */

import { type PodClass, type PodEnd, portsByProtocol } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { clusterOfScope } from '../../workspace/reach/applied-clusters.ts';
import { type Cluster, isAtHome } from '../../workspace/reach/cluster.ts';
import { connectionsText, portsText, proofText } from '../../workspace/reach/sentences.ts';
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
  const answers = new Answers(cluster);
  const edges: ObjectEdge[] = [];
  const ends = endsAtHome(cluster);
  for (const from of ends) {
    const fromId = idOf(from.workload.where);
    for (const to of ends) {
      const toId = idOf(to.workload.where);
      if (fromId === undefined || toId === undefined || fromId === toId) continue;
      const answer = answers.of(from, to);
      if (answer === undefined) continue;
      if (edges.length === maximumConnections) return { edges, isCut: true, notes: answers.notes(ends.length) };
      const { ports, certain, why } = answer;
      const [a, b] = [objectName(from.workload.where.object), objectName(to.workload.where.object)];
      const reason = localize`${a} ${certain ? localize`may connect` : localize`is possibly allowed to connect`} to ${b}, on ${ports}: ${why(from, to)}`;
      const { file, object } = to.workload.where;
      edges.push({
        edge: { from: fromId, to: toId, relation: 'connects', label: ports, certain, reason },
        place: { file, span: nameSpan(object) },
      });
    }
  }
  return { edges, isCut: false, notes: answers.notes(ends.length) };
}

function endsAtHome(cluster: Cluster) {
  return podEnds(cluster).filter(({ workload }) => isAtHome(cluster, workload.where));
}

interface Answer {
  readonly ports: string;
  readonly certain: boolean;
  /** Describes why the pods at the two ends may connect. */
  why(from: PodEnd, to: PodEnd): string;
}

/** A cache of the connections from the pods of one class to the pods of another class: their ports, and whether they are certain. */
class Answers {
  readonly #cluster: Cluster;
  readonly #known = new Map<PodClass, Map<PodClass, Answer | undefined>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  of(from: PodEnd, to: PodEnd): Answer | undefined {
    const row = this.#known.get(from.peer) ?? new Map<PodClass, Answer | undefined>();
    this.#known.set(from.peer, row);
    if (!row.has(to.peer)) row.set(to.peer, this.#answer(from, to));
    return row.get(to.peer);
  }

  #answer(from: PodEnd, to: PodEnd): Answer | undefined {
    const { reachability } = this.#cluster;
    if (!this.#isIsolated(from.peer, 'egress') && !this.#isIsolated(to.peer, 'ingress')) return undefined;
    const connections = reachability.connections(from.peer, to.peer);
    const { allowed, unknown } = connections;
    const certain = allowed.bounds.length > 0;
    const [first] = portsByProtocol(certain ? allowed : unknown);
    if (first === undefined) return undefined;
    const port = first.ports === 'all' ? 1 : Number.parseInt(first.ports, 10);
    const why = (source: PodEnd, target: PodEnd) =>
      proofText(this.#cluster, reachability.prove(source, target, first.protocol, port));
    return {
      ports: certain ? connectionsText(connections) : portsText(unknown),
      certain,
      // Only the near misses of a connection that is not certain name labels, in which the pods of a class may differ.
      why: certain ? once(() => why(from, to)) : why,
    };
  }

  #isIsolated(pods: PodClass, direction: 'ingress' | 'egress'): boolean {
    return this.#cluster.reachability.policiesOn(pods, direction).key !== '';
  }

  notes(all: number): readonly string[] {
    const open = endsAtHome(this.#cluster).filter(
      ({ peer }) => !this.#isIsolated(peer, 'ingress') && !this.#isIsolated(peer, 'egress'),
    );
    if (open.length === 0) return [];
    return [
      localize`${open.length} of ${all} workloads are not isolated by any policy: connections between these workloads are allowed and not drawn.`,
    ];
  }
}
