/** Summarizes the combined effect of the policies of a cluster: the peers that can reach a workload, and the connections that a policy or a rule allows. */

import type {
  Connections,
  Direction,
  Peer,
  PeerClass,
  PodClass,
  PodEnd,
  PortSet,
  Reachability,
  ReachPolicy,
  Rule,
} from '../../engine/index.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { Cluster, UnevaluatedPods, Workload } from './cluster.ts';
import { type Endpoint, type WorkloadEnd, workloadEnds } from './endpoints.ts';

/** A peer, which is a workload or a set of addresses, and the ports of the connections with it. */
export interface Reached {
  readonly end: Endpoint;
  readonly connections: Connections;
}

export const podEnds = memoized((cluster: Cluster): readonly WorkloadEnd[] => workloadEnds(cluster));

/** Returns the number of classes of pods, and a function that returns the workloads whose class passes a test, in order. */
export function podClasses(cluster: Cluster): {
  readonly count: number;
  filter(isWanted: (peer: PodClass) => boolean): readonly WorkloadEnd[];
} {
  const classes = getOrAdd(classesOfClusters, cluster, () => {
    const byClass = new Map<PodClass, (readonly [index: number, end: WorkloadEnd])[]>();
    for (const [index, end] of podEnds(cluster).entries())
      getOrAdd(byClass, end.peer, () => []).push([index, end] as const);
    return byClass;
  });
  return {
    count: classes.size,
    filter: (isWanted) =>
      [...classes]
        .flatMap(([peer, ends]) => (isWanted(peer) ? ends : []))
        .toSorted(([a], [b]) => a - b)
        .map(([, end]) => end),
  };
}

const classesOfClusters = new WeakMap<Cluster, ReadonlyMap<PodClass, (readonly [index: number, end: WorkloadEnd])[]>>();

/** Returns the peers from which connections to the pods of a workload are allowed (`ingress`), or to which connections from these pods are allowed (`egress`). */
export function reachedFrom(cluster: Cluster, subject: WorkloadEnd, direction: Direction): readonly Reached[] {
  const { reachability } = cluster;
  const outside = reachability.addressClasses.map((peer): Endpoint => ({ kind: 'address', text: '', peer }));
  const others: readonly Endpoint[] = [...podEnds(cluster), ...outside];
  return others.flatMap((end): readonly Reached[] => {
    if (end.kind === 'workload' && end.workload === subject.workload) return [];
    const [from, to] = direction === 'ingress' ? [end.peer, subject.peer] : [subject.peer, end.peer];
    const connections = reachability.connections(from, to);
    const isNone = connections.allowed.bounds.length === 0 && connections.unknown.bounds.length === 0;
    return isNone ? [] : [{ end, connections }];
  });
}

/** Returns the ports of egress to pods that are not evaluated; undefined for ingress, whose named ports depend on the pods of the policy. */
function portsTo(
  { reachability }: UnevaluatedPods,
  policy: ReachPolicy | undefined,
  direction: Direction,
  rules: readonly Rule[],
): PortSet | undefined {
  const end = reachability.podEnd(0);
  if (policy === undefined || end === undefined || direction === 'ingress') return undefined;
  const { ports } = reachability;
  return rules
    .map((rule) => reachability.ruleConnections(policy, direction, rule, end.peer, end.peer).allowed)
    .reduce((all, each) => ports.union(all, each), ports.none);
}

/** Returns the workloads of the files whose pods are not evaluated, although some rules of a policy allow any peer, or their peers match the known labels of the pods. */
export function unevaluatedPeers(
  { unevaluated, policies }: Cluster,
  policy: number,
  rules: readonly Rule[],
): readonly Workload[] {
  return peersAmong(unevaluated, policies[policy]?.policy, rules);
}

function peersAmong(
  { workloads, reachability }: UnevaluatedPods,
  policy: ReachPolicy | undefined,
  rules: readonly Rule[],
): readonly Workload[] {
  if (policy === undefined || workloads.length === 0) return [];
  const peers = rules.flatMap((rule) => rule.peers);
  const isAny = rules.some(({ anyPeer }) => anyPeer !== 'no');
  return workloads.filter((_, index) => {
    const end = reachability.podEnd(index);
    return end !== undefined && (isAny || peers.some((peer) => isPeer(reachability, policy, peer, end)));
  });
}

/** Whether a peer includes pods whose labels are partly known: certainly, or because it requires one of the known labels. */
function isPeer(reachability: Reachability, policy: ReachPolicy, peer: Peer, { peer: pods, pod }: PodEnd): boolean {
  const answer = reachability.includes(policy, peer, pods);
  if (answer !== 'maybe' || peer.kind !== 'pods') return answer === 'yes';
  const { labels } = pod.labels;
  return peer.pods.kind === 'all' && peer.pods.requirements.some(({ key }) => Object.hasOwn(labels, key));
}

/** A peer that some rules of a policy allow, and the ports. */
interface AllowedPeer {
  readonly end: Endpoint;
  /** The ports that are certainly allowed between the peer and at least one pod of the policy. */
  readonly ports: PortSet;
  /** Whether the ports differ between the pods of the policy. */
  readonly variesByPod: boolean;
}

/** The connections that some rules of a policy certainly allow. */
export interface Allowed {
  readonly peers: readonly AllowedPeer[];
  /** The ports of all connections; undefined if they differ between the peers, or between the pods of the policy. */
  readonly ports: PortSet | undefined;
  /** Whether further connections may be allowed. */
  readonly isOpen: boolean;
  /** The workloads that peers of the rules match, and whose pods are not evaluated. */
  readonly unevaluated: readonly Workload[];
  /** The pods of every cluster that peers of the rules match, if they match no other workloads or addresses. */
  readonly inEveryCluster: readonly Workload[];
}

/** Returns the pods that a policy certainly selects. */
export function subjectsOf(cluster: Cluster, policy: number): readonly WorkloadEnd[] {
  const found = cluster.policies[policy];
  return found === undefined
    ? []
    : podEnds(cluster).filter(({ peer }) => cluster.reachability.selects(found.policy, peer) === 'yes');
}

/** Returns the connections that some rules of a policy certainly allow. Rules are united only for the same pods and the same peer: one source may have other ports than another. */
export function allowedBy(cluster: Cluster, policy: number, direction: Direction, rules: readonly Rule[]): Allowed {
  const { reachability } = cluster;
  const { none } = reachability.ports;
  const union = (a: PortSet, b: PortSet) => reachability.ports.union(a, b);
  const found = cluster.policies[policy];
  const outside = reachability.addressClasses.map((peer): Endpoint => ({ kind: 'address', text: '', peer }));
  const subjects = [...new Set(subjectsOf(cluster, policy).map(({ peer }) => peer))];
  let isOpen = false;
  const byClass = new Map<PeerClass, readonly PortSet[]>();
  const portsOf = (other: PeerClass) =>
    subjects.map((pods) => {
      const connections = rules.flatMap((rule) =>
        found === undefined ? [] : [reachability.ruleConnections(found.policy, direction, rule, pods, other)],
      );
      isOpen ||= connections.some(({ unknown }) => unknown !== none);
      return connections.reduce((ports, { allowed }) => union(ports, allowed), none);
    });
  const peers = [...podEnds(cluster), ...outside].flatMap((end): readonly AllowedPeer[] => {
    const ofPods = getOrAdd(byClass, end.peer, () => portsOf(end.peer));
    const ports = ofPods.reduce(union, none);
    return ports === none ? [] : [{ end, ports, variesByPod: ofPods.some((each) => each !== ports) }];
  });
  const [first] = peers;
  const isUniform = peers.every(({ ports, variesByPod }) => !variesByPod && ports === first?.ports);
  const unevaluated = unevaluatedPeers(cluster, policy, rules);
  const inEveryCluster = peers.length === 0 ? peersAmong(cluster.inEveryCluster, found?.policy, rules) : [];
  if (inEveryCluster.length > 0) {
    const ports = portsTo(cluster.inEveryCluster, found?.policy, direction, rules);
    return { peers, ports, isOpen, unevaluated, inEveryCluster };
  }
  return { peers, ports: isUniform ? first?.ports : undefined, isOpen, unevaluated, inEveryCluster };
}

/** Returns a different rule, with its policy, that allows everything that a rule allows, for all pods of the policy; undefined if there is none, or if something is uncertain. */
export function alsoAllowedBy(
  cluster: Cluster,
  policy: number,
  direction: Direction,
  rule: Rule,
): { readonly policy: number; readonly rule: Rule } | undefined {
  const { reachability } = cluster;
  const found = cluster.policies[policy];
  const subjects = [...new Set(subjectsOf(cluster, policy).map(({ peer }) => peer))];
  if (found === undefined || subjects.length === 0) return undefined;
  const others = [...reachability.podClasses, ...reachability.addressClasses];
  const own = subjects.flatMap((pods) =>
    others.map((other) => ({
      pods,
      other,
      set: reachability.ruleConnections(found.policy, direction, rule, pods, other),
    })),
  );
  if (own.every(({ set }) => set.allowed.bounds.length === 0)) return undefined;
  for (const [index, candidate] of cluster.policies.entries()) {
    const isSelecting = subjects.every((pods) => reachability.selects(candidate.policy, pods) === 'yes');
    if (!isSelecting || candidate.policy[direction].covers !== 'yes' || candidate.policy.tier !== 'NetworkPolicy')
      continue;
    for (const each of candidate.policy[direction].rules) {
      if (each === rule) continue;
      const isCovered = own.every(({ pods, other, set }) => {
        const possible = reachability.ports.union(set.allowed, set.unknown);
        const { allowed } = reachability.ruleConnections(candidate.policy, direction, each, pods, other);
        return reachability.ports.difference(possible, allowed) === reachability.ports.none;
      });
      if (isCovered) return { policy: index, rule: each };
    }
  }
  return undefined;
}
