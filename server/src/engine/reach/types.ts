/** Input of network reachability: pods, namespaces and policies, as far as they are known. */

import type { Answer, LabelSet, Selector, Value } from '../types.ts';
import type { AddressBlock } from './addresses.ts';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** The direction of a connection at one of its ends: `egress` at its source, `ingress` at its target. */
export type Direction = 'ingress' | 'egress';

/** A port that a pod declares in `containers[].ports`. */
export interface ContainerPort {
  readonly name?: Value;
  /** Undefined if it is not known. */
  readonly number: number | undefined;
  /** Undefined if it is not known. */
  readonly protocol: Protocol | undefined;
  /** It belongs to a restartable init container, which network plugins treat differently. */
  readonly isInit?: true;
}

/** Pods with the same labels and ports: a workload, or a pod of its own. */
export interface ReachPod {
  readonly namespace: Value;
  readonly labels: LabelSet;
  readonly ports?: readonly ContainerPort[];
  /** It may declare ports that are not known. */
  readonly portsOpen?: boolean;
  /** Whether it shares the network of its node, which leaves undefined what policies do to it. */
  readonly hostNetwork?: Answer;
}

/** A namespace with the labels of its object; `kubernetes.io/metadata.name` is added. */
export interface ReachNamespace {
  readonly name: string;
  readonly labels: LabelSet;
}

/** One item of `ports`, or of `protocols` in a ClusterNetworkPolicy. */
export type PortMatch =
  | { readonly kind: 'range'; readonly protocol: Protocol; readonly from: number; readonly to: number }
  /** Looked up on the target; a protocol of undefined is that of the port that has the name. */
  | { readonly kind: 'name'; readonly protocol: Protocol | undefined; readonly name: string }
  /** Not known, apart from the protocol at best. */
  | { readonly kind: 'unknown'; readonly protocol: Protocol | undefined };

/** One item of `from` or `to`. */
export type Peer =
  /** `namespaces` of undefined is the namespace of the policy. */
  | { readonly kind: 'pods'; readonly namespaces: Selector | undefined; readonly pods: Selector }
  /**
   * The `ipBlock` of a NetworkPolicy, which is meant for addresses outside the cluster; undefined if it is not known.
   */
  | { readonly kind: 'block'; readonly block: AddressBlock | undefined }
  /** The `networks` of a ClusterNetworkPolicy, which pods are in as well. */
  | { readonly kind: 'networks'; readonly blocks: readonly AddressBlock[]; readonly isOpen: boolean }
  | { readonly kind: 'nodes' | 'domains' }
  /** Anything, as far as it is known. */
  | { readonly kind: 'unknown' };

export type Action = 'Accept' | 'Deny' | 'Pass';

/** A rule of a policy. It matches a connection if one of its peers and one of its ports match. */
export interface Rule {
  /** Its place in `ingress` or `egress`. */
  readonly index: number;
  readonly name?: string;
  /** Undefined if it is not known. */
  readonly action: Action | undefined;
  readonly peers: readonly Peer[];
  /** Whether it matches every peer, whatever `peers` lists. */
  readonly anyPeer: Answer;
  readonly ports: readonly PortMatch[];
  /** Whether it matches every port, whatever `ports` lists. */
  readonly anyPort: Answer;
  /** It is not certain that the rule exists. */
  readonly isOptional?: true;
}

export interface RulesOfDirection {
  /** Whether the policy has a say in this direction. */
  readonly covers: Answer;
  readonly rules: readonly Rule[];
}

/** The tier of a policy. Tiers decide in this order; an unknown tier is undefined. */
export type Tier = 'Admin' | 'NetworkPolicy' | 'Baseline';

/** A NetworkPolicy or a ClusterNetworkPolicy. */
export interface ReachPolicy {
  readonly tier: Tier | undefined;
  /** From 0 to 1000, lower first; undefined if it is not known. Without a meaning in a NetworkPolicy. */
  readonly priority: number | undefined;
  /** Of a NetworkPolicy; undefined in a ClusterNetworkPolicy. */
  readonly namespace: Value | undefined;
  readonly subject: Extract<Peer, { kind: 'pods' }>;
  readonly ingress: RulesOfDirection;
  readonly egress: RulesOfDirection;
  /** It is not certain that the policy exists. */
  readonly isOptional?: true;
}

export interface ReachWorld {
  readonly pods: readonly ReachPod[];
  /** Namespaces with an object. */
  readonly namespaces: readonly ReachNamespace[];
  readonly policies: readonly ReachPolicy[];
  /** Namespaces without an object may have labels that are not known. Their name is always a label. */
  readonly namespacesOpen?: boolean;
  /** There may be NetworkPolicies that are not known. */
  readonly policiesOpen?: boolean;
}
