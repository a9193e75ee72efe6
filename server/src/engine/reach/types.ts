/** Input of network reachability: pods, namespaces and policies, with marks for unknown parts. */

import type { Answer, LabelSet, Selector, Value } from '../types.ts';
import type { AddressBlock } from './addresses.ts';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** The direction of a connection at one of its ends: `egress` at its source, `ingress` at its target. */
export type Direction = 'ingress' | 'egress';

/** A port that a pod declares in `containers[].ports`. */
export interface ContainerPort {
  readonly name?: Value;
  /** The number of the port; undefined if it is unknown. */
  readonly number: number | undefined;
  /** The protocol of the port; undefined if it is unknown. */
  readonly protocol: Protocol | undefined;
  /** Set if the port belongs to a restartable init container, which network plugins treat differently. */
  readonly isInit?: true;
}

/** Pods with equal labels and ports: a workload, or a single pod. */
export interface ReachPod {
  readonly namespace: Value;
  readonly labels: LabelSet;
  readonly ports?: readonly ContainerPort[];
  /** Whether the pod may declare further, unknown ports. */
  readonly portsOpen?: boolean;
  /** Whether the pod shares the network of its node; the effect of policies on it is then undefined. */
  readonly hostNetwork?: Answer;
}

/** A namespace with the labels of its Namespace object, to which the label `kubernetes.io/metadata.name` is added. */
export interface ReachNamespace {
  readonly name: string;
  readonly labels: LabelSet;
}

/** One item of `ports`, or of `protocols` in a ClusterNetworkPolicy. */
export type PortMatch =
  | { readonly kind: 'range'; readonly protocol: Protocol; readonly from: number; readonly to: number }
  /**
   * A port name that is looked up on the target; if `protocol` is undefined, a port with the name matches with any
   * protocol.
   */
  | { readonly kind: 'name'; readonly protocol: Protocol | undefined; readonly name: string }
  /** An unknown port; its protocol is also unknown if `protocol` is undefined. */
  | { readonly kind: 'unknown'; readonly protocol: Protocol | undefined };

/** One item of `from` or `to`. */
export type Peer =
  /** Pods in the selected namespaces, or in the namespace of the policy if `namespaces` is undefined. */
  | { readonly kind: 'pods'; readonly namespaces: Selector | undefined; readonly pods: Selector }
  /** The `ipBlock` of a NetworkPolicy, which is meant for addresses outside the cluster; undefined if it is unknown. */
  | { readonly kind: 'block'; readonly block: AddressBlock | undefined }
  /** The `networks` of a ClusterNetworkPolicy, which also include pods. */
  | { readonly kind: 'networks'; readonly blocks: readonly AddressBlock[]; readonly isOpen: boolean }
  | { readonly kind: 'nodes' | 'domains' }
  /** An unknown peer. */
  | { readonly kind: 'unknown' };

export type Action = 'Accept' | 'Deny' | 'Pass';

/** A rule of a policy. It matches a connection if one of its peers and one of its ports match. */
export interface Rule {
  /** The index of the rule in `ingress` or `egress`. */
  readonly index: number;
  readonly name?: string;
  /** The action of the rule; undefined if it is unknown. */
  readonly action: Action | undefined;
  readonly peers: readonly Peer[];
  /** Whether the rule matches every peer, regardless of `peers`. */
  readonly anyPeer: Answer;
  readonly ports: readonly PortMatch[];
  /** Whether the rule matches every port, regardless of `ports`. */
  readonly anyPort: Answer;
  /** Set if it is uncertain whether the rule exists. */
  readonly isOptional?: true;
}

export interface RulesOfDirection {
  /** Whether the policy applies in this direction. */
  readonly covers: Answer;
  readonly rules: readonly Rule[];
}

/** The tier of a policy. Tiers decide in this order; a tier is undefined if it is unknown. */
export type Tier = 'Admin' | 'NetworkPolicy' | 'Baseline';

/** A NetworkPolicy or a ClusterNetworkPolicy. */
export interface ReachPolicy {
  readonly tier: Tier | undefined;
  /**
   * A number from 0 to 1000, where lower numbers take precedence; undefined if unknown. A NetworkPolicy has no
   * priority.
   */
  readonly priority: number | undefined;
  /** The namespace of a NetworkPolicy; undefined for a ClusterNetworkPolicy. */
  readonly namespace: Value | undefined;
  readonly subject: Extract<Peer, { kind: 'pods' }>;
  readonly ingress: RulesOfDirection;
  readonly egress: RulesOfDirection;
  /** Set if it is uncertain whether the policy exists. */
  readonly isOptional?: true;
}

export interface ReachWorld {
  readonly pods: readonly ReachPod[];
  /** The namespaces for which a Namespace object is known. */
  readonly namespaces: readonly ReachNamespace[];
  readonly policies: readonly ReachPolicy[];
  /**
   * Whether namespaces without a known Namespace object may have unknown labels. Their label
   * `kubernetes.io/metadata.name` is always known.
   */
  readonly namespacesOpen?: boolean;
  /** Whether there may be further, unknown NetworkPolicies. */
  readonly policiesOpen?: boolean;
}
