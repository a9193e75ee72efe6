/** Evaluates network reachability directly by the definition, for one pair of pods and one port at a time. */

import { fromLabelSelector, matches, type Protocol } from '../../../server/src/engine/index.ts';

type Labels = Readonly<Record<string, string>>;
type PlainSelector = object | null | undefined;

export interface PlainPod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly ports: readonly { readonly name?: string; readonly number: number; readonly protocol: Protocol }[];
}

interface PlainPeer {
  readonly podSelector?: PlainSelector;
  readonly namespaceSelector?: PlainSelector;
  readonly ipBlock?: object;
  readonly namespaces?: PlainSelector;
  readonly pods?: { readonly namespaceSelector: PlainSelector; readonly podSelector: PlainSelector };
}

interface PlainRule {
  readonly action?: 'Accept' | 'Deny' | 'Pass';
  readonly from?: readonly PlainPeer[] | null;
  readonly to?: readonly PlainPeer[] | null;
  readonly ports?:
    | readonly { readonly protocol?: Protocol; readonly port?: number | string; readonly endPort?: number }[]
    | null;
  readonly protocols?: readonly {
    readonly tcp?: { readonly destinationPort?: { readonly number?: number } };
    readonly udp?: { readonly destinationPort?: { readonly number?: number } };
    readonly destinationNamedPort?: string;
  }[];
}

interface PlainPolicy {
  /** The namespace of a NetworkPolicy. */
  readonly namespace?: string;
  readonly spec: {
    readonly tier?: 'Admin' | 'Baseline';
    readonly priority?: number;
    readonly subject?: PlainPeer;
    readonly podSelector?: PlainSelector;
    readonly policyTypes?: readonly string[] | null;
    readonly ingress?: readonly PlainRule[] | null;
    readonly egress?: readonly PlainRule[] | null;
  };
}

export interface PlainWorld {
  readonly pods: readonly PlainPod[];
  readonly namespaces: Readonly<Record<string, Labels>>;
  readonly policies: readonly PlainPolicy[];
}

/** Whether `from` may connect to a port of `to`; pods are in no `ipBlock`. */
export function mayConnect(world: PlainWorld, from: PlainPod, to: PlainPod, protocol: Protocol, port: number): boolean {
  const ends = [
    ['egress', from, to],
    ['ingress', to, from],
  ] as const;
  return ends.every(([direction, subject, other]) => {
    const matching = (policy: PlainPolicy) =>
      (policy.spec[direction] ?? []).filter(
        (rule) =>
          matchesPeer(world, policy, direction === 'ingress' ? rule.from : rule.to, other) &&
          matchesPort(rule, to, protocol, port),
      );
    const decide = (tier: 'Admin' | 'Baseline') => {
      const policies = world.policies
        .filter(({ spec }) => spec.tier === tier && inSubject(world, spec.subject, subject))
        .toSorted((a, b) => (a.spec.priority ?? 0) - (b.spec.priority ?? 0));
      return policies.flatMap(matching)[0]?.action;
    };
    const admin = decide('Admin');
    if (admin === 'Accept' || admin === 'Deny') return admin === 'Accept';
    const isolating = world.policies.filter(
      ({ namespace, spec }) =>
        spec.tier === undefined &&
        namespace === subject.namespace &&
        selects(spec.podSelector ?? {}, subject.labels) &&
        covers(spec, direction),
    );
    if (isolating.length > 0) return isolating.some((policy) => matching(policy).length > 0);
    return decide('Baseline') !== 'Deny';
  });
}

function covers({ policyTypes, egress }: PlainPolicy['spec'], direction: 'ingress' | 'egress'): boolean {
  if (policyTypes && policyTypes.length > 0)
    return policyTypes.includes(direction === 'ingress' ? 'Ingress' : 'Egress');
  return direction === 'ingress' || (egress ?? []).length > 0;
}

function inSubject(world: PlainWorld, subject: PlainPeer | undefined, pod: PlainPod): boolean {
  return subject !== undefined && matchesPeer(world, undefined, [subject], pod);
}

function matchesPeer(
  world: PlainWorld,
  policy: PlainPolicy | undefined,
  peers: readonly PlainPeer[] | null | undefined,
  pod: PlainPod,
): boolean {
  if (!peers || peers.length === 0) return true;
  const namespaceLabels = { ...world.namespaces[pod.namespace], 'kubernetes.io/metadata.name': pod.namespace };
  return peers.some((peer) => {
    if (peer.ipBlock) return false;
    if (peer.namespaces) return selects(peer.namespaces, namespaceLabels);
    const { namespaceSelector, podSelector } = peer.pods ?? peer;
    const isThere = namespaceSelector
      ? selects(namespaceSelector, namespaceLabels)
      : pod.namespace === policy?.namespace;
    return isThere && selects(podSelector ?? {}, pod.labels);
  });
}

function matchesPort({ ports, protocols }: PlainRule, to: PlainPod, protocol: Protocol, port: number): boolean {
  const isNamed = (name: string) =>
    to.ports.some((each) => each.name === name && each.protocol === protocol && each.number === port);
  if (protocols !== undefined) {
    return protocols.some(({ tcp, udp, destinationNamedPort }) => {
      if (destinationNamedPort !== undefined) return isNamed(destinationNamedPort);
      const one = protocol === 'TCP' ? tcp : protocol === 'UDP' ? udp : undefined;
      return one !== undefined && (one.destinationPort?.number ?? port) === port;
    });
  }
  if (!ports || ports.length === 0) return true;
  return ports.some((item) => {
    if ((item.protocol ?? 'TCP') !== protocol) return false;
    if (item.port === undefined) return true;
    if (typeof item.port === 'string') return isNamed(item.port);
    return item.port <= port && port <= (item.endPort ?? item.port);
  });
}

function selects(selector: PlainSelector, labels: Labels): boolean {
  const parsed = fromLabelSelector(selector);
  return parsed.ok && matches(parsed.value, labels);
}
