/** Finds network policies that allow only sources that the manifests do not contain, and namespaces that policies deny. */

import {
  evaluate,
  format,
  formatRequirement,
  isUnknown,
  type Peer,
  type PeerClass,
  type PodClass,
  Reachability,
  type ReachPod,
  type ReachPolicy,
  type ReachWorld,
  type Selector,
  type Value,
} from '../../engine/index.ts';
import type { Cluster, PolicyObject } from '../../workspace/reach/cluster.ts';
import type { WorkloadEnd } from '../../workspace/reach/endpoints.ts';
import { podEnds, subjectsOf } from '../../workspace/reach/summaries.ts';
import { listed } from '../output/names.ts';

/** A policy that allows incoming connections, but none from a pod or an address that the manifests contain. */
export interface UnmatchedPolicy {
  readonly policy: PolicyObject;
  /** The workloads to which the policy applies. */
  readonly workloads: readonly WorkloadEnd[];
  /** The pods that the policy allows: "pods with `app=gateway` in the same namespace". Undefined if they may be in namespaces of which the manifests contain no pods. */
  readonly sources: string | undefined;
  /** The workloads in other namespaces whose pods have the labels of the sources; undefined if that is unknown. */
  readonly elsewhere: readonly WorkloadEnd[] | undefined;
  /** Whether no pod of the manifests can connect to the workloads. */
  readonly isIsolating: boolean;
}

/** The maximum number of pairs of changed policies and classes of pods that are examined in one cluster. */
const maximumPairs = 200_000;

/** Returns the policies of a cluster that allow connections, but none from a pod of the cluster or from an address, among those that fulfill `isAsked`; undefined if these are too many. */
export function unmatchedPolicies(
  known: Cluster,
  isAsked: (policy: PolicyObject) => boolean,
): readonly UnmatchedPolicy[] | undefined {
  const { policies } = known;
  const asked = policies.filter(isAsked);
  if (asked.length * known.reachability.podClasses.length > maximumPairs) return undefined;
  const mayBe = ({ policy }: PolicyObject) =>
    policy.mesh !== undefined || hasOnlyAbsentPeers(known.reachability, policy);
  if (!asked.some(mayBe)) return [];
  // Namespaces without a manifest may have any labels.
  const reachability = new Reachability({ ...known.reachability.world, namespacesOpen: true });
  const cluster: Cluster = { ...known, reachability };
  return policies.flatMap((policy, index): readonly UnmatchedPolicy[] => {
    if (!isAsked(policy)) return [];
    if (policy.other !== undefined || policy.possiblyBy !== undefined || policy.policy.isOptional) return [];
    const read = policy.policy;
    if (read.mesh === undefined && !hasOnlyAbsentPeers(reachability, read)) return [];
    const workloads = subjectsOf(cluster, index);
    if (workloads.length === 0) return [];
    const subjects = [...new Set(workloads.map(({ peer }) => peer))];
    if (read.mesh !== undefined && !allowsOnlyAbsent(cluster, policy, workloads)) return [];
    const isIsolating = subjects.every((subject) => isIsolated(reachability, subject));
    const isRestricting = read.tier === 'NetworkPolicy' || (read.tier === 'Cilium' && read.ingress.isolates === 'yes');
    if (!isRestricting && !isIsolating) return [];
    const sources = sourcesOf(reachability.world, read);
    return [{ policy, workloads, sources, elsewhere: workloadsWith(cluster, read), isIsolating }];
  });
}

/** Whether the rules of a policy for incoming connections only allow peers, none of which certainly or possibly exists. */
function hasOnlyAbsentPeers(reachability: Reachability, policy: ReachPolicy): boolean {
  const { covers, rules } = policy.ingress;
  const classes = (): readonly PeerClass[] => [...reachability.podClasses, ...reachability.addressClasses];
  return (
    covers === 'yes' &&
    rules.length > 0 &&
    rules.every(
      ({ action, anyPeer, peers }) =>
        action === 'Accept' &&
        anyPeer === 'no' &&
        peers.every((peer) => classes().every((other) => reachability.includes(policy, peer, other) === 'no')),
    )
  );
}

/** Whether an AuthorizationPolicy of Istio alone allows connections of some sources, but none of the manifests. */
function allowsOnlyAbsent({ reachability }: Cluster, { policy }: PolicyObject, some: readonly WorkloadEnd[]): boolean {
  const { mesh } = policy;
  if (mesh?.kind !== 'authorization' || mesh.action !== 'ALLOW') return false;
  if (mesh.rules.length === 0 || mesh.rules.some(({ from }) => from === undefined)) return false;
  const alone = new Reachability({ ...reachability.world, policies: [policy] });
  return some.every(({ pod }) => {
    const subject = alone.classOf(reachability.world.pods.indexOf(pod));
    return subject !== undefined && isIsolated(alone, subject);
  });
}

/** Whether the policies deny all connections from pods and addresses to a class of pods. */
function isIsolated(reachability: Reachability, subject: PodClass): boolean {
  return [...reachability.podClasses, ...reachability.addressClasses].every((other) =>
    isDenied(reachability, subject, other),
  );
}

/** Whether the policies of a class of pods deny all connections from another class. Whether Cilium supports SCTP depends on its settings. */
function isDenied(reachability: Reachability, subject: PodClass, other: PeerClass): boolean {
  const { ports } = reachability;
  const { allowed, unknown } = reachability.connectionsAt(subject, 'ingress', other);
  return allowed === ports.none && ports.difference(unknown, ports.range('SCTP')) === ports.none;
}

/** Returns the workloads whose pods have the labels that the peers of a policy require, in any namespace; undefined if it is unknown. */
function workloadsWith(cluster: Cluster, { ingress }: ReachPolicy): readonly WorkloadEnd[] | undefined {
  const selectors = ingress.rules
    .flatMap(({ peers }) => peers)
    .map((peer) => (peer.kind === 'pods' && peer.namespaces === undefined ? peer.pods : undefined));
  const found: WorkloadEnd[] = [];
  for (const end of podEnds(cluster)) {
    const answers = selectors.map((each) => (each === undefined ? 'maybe' : evaluate(each, end.pod.labels)));
    if (answers.includes('maybe')) return undefined;
    if (answers.includes('yes')) found.push(end);
  }
  return found;
}

/** Describes the pods that a policy allows; undefined if some of them may be in namespaces of which the manifests contain no pods. */
function sourcesOf(world: ReachWorld, policy: ReachPolicy): string | undefined {
  const peers = policy.ingress.rules.flatMap((rule) => rule.peers);
  const texts = peers.map((peer) => sourceOf(world, policy, peer));
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  const known = [...new Set(texts.flatMap((text) => text ?? []))];
  const more = known.length - mostSources;
  const shown = more > 0 ? [...known.slice(0, mostSources), `${more} other selectors`] : known;
  return listed(shown, 'or');
}

/** The maximum number of sources in a sentence. */
const mostSources = 2;

/** The label of endpoints of Cilium that contains their namespace. */
const ciliumNamespaceKey = 'io.kubernetes.pod.namespace';
/** The label that each namespace has, which contains its name. */
const namespaceNameLabel = 'kubernetes.io/metadata.name';
const ownNamespace = ' in the same namespace';

function sourceOf(world: ReachWorld, { namespace }: ReachPolicy, peer: Peer): string | undefined {
  switch (peer.kind) {
    case 'pods': {
      if (peer.namespaces === undefined) return `${podsWith(format(peer.pods, 'canonical'))}${ownNamespace}`;
      const { namespaces } = peer;
      if (namespaces.kind !== 'all' || !world.pods.some((pod) => isIn(world, pod.namespace, namespaces)))
        return undefined;
      const text = format(namespaces, 'canonical');
      return `${podsWith(format(peer.pods, 'canonical'))} in namespaces with \`${text}\``;
    }
    case 'endpoints': {
      const { requirements } = peer.selector;
      const isOwn = ({ key, operator, values: [value] }: (typeof requirements)[number]) =>
        key === ciliumNamespaceKey && operator === '=' && value === namespace;
      if (!requirements.some(isOwn)) return undefined;
      const others = requirements.filter((each) => !isOwn(each)).map(formatRequirement);
      return `${podsWith(others.join(','))}${ownNamespace}`;
    }
    case 'calico': {
      const { namespace: inside, selector } = peer;
      const isOwn = typeof inside === 'object' && !isUnknown(inside.is) && inside.is === namespace;
      return isOwn ? `${podsWith(selector?.text ?? '')}${ownNamespace}` : undefined;
    }
    default:
      return undefined;
  }
}

function podsWith(labels: string): string {
  return labels === '' ? 'pods' : `pods with \`${labels}\``;
}

/** Whether a selector of namespaces certainly selects a namespace. */
function isIn({ namespaces }: ReachWorld, name: Value, selector: Selector): boolean {
  const known = namespaces.find((each) => each.name === name)?.labels;
  return evaluate(selector, { ...known, labels: { ...known?.labels, [namespaceNameLabel]: name } }) === 'yes';
}

/** Whether the network policies certainly deny all connections from pods in a namespace to some workloads. */
export function isNamespaceDenied(cluster: Cluster, namespace: string, workloads: readonly WorkloadEnd[]): boolean {
  const { world } = cluster.reachability;
  const anyPod: ReachPod = { namespace, labels: { labels: {}, open: true }, portsOpen: true };
  const reachability = new Reachability({ ...world, pods: [...world.pods, anyPod], namespacesOpen: true });
  const other = reachability.classOf(world.pods.length);
  return (
    other !== undefined &&
    workloads.every(({ pod }) => {
      const subject = reachability.classOf(world.pods.indexOf(pod));
      return (
        subject !== undefined &&
        reachability.policiesOn(subject, 'ingress').mesh.length === 0 &&
        isDenied(reachability, subject, other)
      );
    })
  );
}
