/** Input of network reachability: pods, namespaces and policies, with marks for unknown parts. */

import type { CalicoTree } from '../calico/types.ts';
import type { EndpointSelector } from '../cilium/endpoint-selector.ts';
import type { Answer, LabelSet, Selector, Value } from '../types.ts';
import type { AddressBlock, AddressRange } from './addresses.ts';

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
  /** The name of the service account; `default` if it is absent. */
  readonly serviceAccount?: Value;
  /** The annotation `sidecar.istio.io/inject`. */
  readonly injection?: Value;
  /** Set if a controller creates the pods, so that the cluster adds labels to them. */
  readonly isOfController?: true;
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
  | {
      readonly kind: 'name';
      readonly protocol: Protocol | undefined;
      readonly name: string;
      /** Set for egress, for which versions of Cilium look up the name among all pods of the cluster. */
      readonly isOfEgress?: true;
    }
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
  /** Endpoints of Cilium. */
  | { readonly kind: 'endpoints'; readonly selector: EndpointSelector }
  | { readonly kind: 'entity'; readonly entity: Entity }
  /** Blocks of addresses that never contain pods, because they concern only peers outside the cluster. */
  | OutsidePeer
  | CalicoPeer
  /** An unknown peer. */
  | { readonly kind: 'unknown' };

/** An entity of Cilium. `node` represents nodes that a setting or their labels determine, `every node` is `host` together with `remote-node`, and `name` domain names and groups of a cloud provider. */
export type Entity =
  | 'all'
  | 'world'
  | 'world-ipv4'
  | 'world-ipv6'
  | 'cluster'
  | 'host'
  | 'remote-node'
  | 'kube-apiserver'
  | 'health'
  | 'init'
  | 'ingress'
  | 'unmanaged'
  | 'none'
  | 'node'
  | 'every node'
  | 'name';

export interface OutsidePeer {
  readonly kind: 'outside';
  readonly blocks: readonly AddressBlock[];
  /** Whether there may be further, unknown blocks. */
  readonly isOpen: boolean;
  /** The named groups of addresses that are included, and the exceptions from each. */
  readonly groups: readonly AddressGroupReference[];
}

export interface AddressGroupReference {
  /** The name of the group, or a selector of its labels. */
  readonly of: string | Selector;
  readonly except: readonly AddressRange[];
}

/** A CiliumCIDRGroup. */
export interface AddressGroup {
  readonly name: string;
  readonly labels: LabelSet;
  readonly blocks: readonly AddressBlock[];
  /** Whether there may be further, unknown blocks. */
  readonly isOpen: boolean;
}

/** A text in the selector language of Calico; without a root, it is unknown. */
export type CalicoExpression = Pick<CalicoTree, 'text' | 'root'>;

/** The endpoints and addresses that an entity of a rule of Calico matches, or that a policy selects. All parts must match. */
export interface CalicoPeer {
  readonly kind: 'calico';
  /** Evaluated on the labels of endpoints and of sets of addresses. */
  readonly selector?: CalicoExpression;
  readonly notSelector?: CalicoExpression;
  /** Evaluated on the labels of the namespace. */
  readonly namespaceSelector?: CalicoExpression;
  /** Evaluated on the labels of the service account. */
  readonly accountSelector?: CalicoExpression;
  /** The names of service accounts. */
  readonly accounts?: readonly Value[];
  /** The namespace to which the members belong, whether they belong to any namespace, or to none. */
  readonly namespace?: { readonly is: Value } | 'any' | 'none';
  readonly nets?: CalicoNets;
  readonly notNets?: CalicoNets;
  /** The version of the addresses. */
  readonly family?: 4 | 6;
  /** Set if further parts are not evaluated. */
  readonly isNarrowed?: true;
}

export interface CalicoNets {
  readonly ranges: readonly AddressRange[];
  /** Whether there may be further, unknown blocks. */
  readonly isOpen: boolean;
}

/** A NetworkSet or, without a namespace, a GlobalNetworkSet of Calico, or the addresses of a HostEndpoint. */
export interface NetworkSet extends AddressGroup {
  readonly namespace: Value | undefined;
  /** Set for the addresses of a host, which are no addresses of pods with a network of their own. */
  readonly isOfHost?: true;
}

export interface ReachServiceAccount {
  readonly namespace: Value;
  readonly name: string;
  readonly labels: LabelSet;
}

/** A tier of Calico. */
export interface CalicoTierObject {
  readonly name: string;
  /** The order; infinite if it is not set, and undefined if it is unknown. */
  readonly order: number | undefined;
  /** What happens to connections that no rule of the tier matches; undefined if it is unknown. */
  readonly defaultAction: 'Deny' | 'Pass' | undefined;
}

/** The place of a policy of Calico among the others. */
export interface CalicoPlace {
  readonly tier: string;
  /** The order; infinite if it is not set. */
  readonly order: number;
  /** The text that decides between policies of equal order. */
  readonly name: string;
  /** The text that decides between policies of equal order in older versions. */
  readonly olderName: string;
}

/** The pods that a policy selects. */
export type Subject = Extract<Peer, { kind: 'pods' | 'endpoints' | 'entity' | 'calico' }>;

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
  /** Set if conditions of the rule that are not evaluated make it uncertain. */
  readonly hasConditions?: true;
  /** The field that lists the rule, if it is not `ingress` or `egress`. */
  readonly list?: 'ingressDeny' | 'egressDeny' | 'rules';
  /** For Calico: the pods of the policy to which the rule applies. */
  readonly own?: Peer;
  /** For Calico: ports that the rule does not match. */
  readonly notPorts?: readonly PortMatch[];
  /** Set if the rule allows only some requests on the connections that it matches. */
  readonly isPartial?: true;
}

export interface RulesOfDirection {
  /** Whether the policy applies in this direction. */
  readonly covers: Answer;
  readonly rules: readonly Rule[];
  /** For a policy of Cilium: whether the policy denies what no rule allows. */
  readonly isolates?: Answer;
}

/**
 * The tier of a policy. `Admin`, `NetworkPolicy` and `Baseline` decide in this order; policies of Cilium decide together
 * with NetworkPolicies, and policies of a mesh can only deny what all others allow. A tier is undefined if it is unknown.
 */
export type Tier = 'Admin' | 'NetworkPolicy' | 'Baseline' | 'Cilium' | 'Calico' | 'Mesh';

/** An AuthorizationPolicy of Istio. */
export interface MeshAuthorization {
  readonly kind: 'authorization';
  /** The action; undefined if it is unknown. */
  readonly action: 'ALLOW' | 'DENY' | 'CUSTOM' | undefined;
  readonly rules: readonly MeshRule[];
}

/** A rule of an AuthorizationPolicy. It matches if one source, one operation and all conditions match. */
export interface MeshRule {
  readonly index: number;
  /** The sources, each with parts of which all must match; undefined if every source matches. */
  readonly from: readonly (readonly MeshCondition[])[] | undefined;
  readonly to: readonly (readonly MeshCondition[])[] | undefined;
  readonly when: readonly MeshCondition[];
}

/** A condition on one property of a connection. */
export interface MeshCondition {
  /** The property; `other` is one that depends on the request, or on addresses. */
  readonly of: 'principal' | 'namespace' | 'account' | 'port' | 'other';
  /** The values, of which one must match; a star at an end matches any text. */
  readonly values: readonly Value[];
  readonly isNegated: boolean;
}

/** The modes of mutual TLS. */
export type MeshMode = 'STRICT' | 'PERMISSIVE' | 'DISABLE';

/** A PeerAuthentication of Istio. */
export interface MeshAuthentication {
  readonly kind: 'authentication';
  readonly level: 'mesh' | 'namespace' | 'workload';
  /** The mode; `inherited` if it is not set, and undefined if it is unknown. */
  readonly mode: MeshMode | 'inherited' | undefined;
  /** The modes of single ports. */
  readonly ports: readonly (readonly [port: number, mode: MeshMode | 'inherited' | undefined])[];
  /** Whether there may be further, unknown modes of ports. */
  readonly isOpen: boolean;
}

/** A network plugin with policies of its own. */
export type Plugin = 'Cilium' | 'Calico';

/** A NetworkPolicy, a ClusterNetworkPolicy, or a rule of a policy of a network plugin. */
export interface ReachPolicy {
  readonly tier: Tier | undefined;
  /**
   * A number from 0 to 1000, where lower numbers take precedence; undefined if unknown. A NetworkPolicy has no
   * priority.
   */
  readonly priority: number | undefined;
  /** The namespace of a policy; undefined for a policy that belongs to no namespace. */
  readonly namespace: Value | undefined;
  readonly subject: Subject;
  readonly ingress: RulesOfDirection;
  readonly egress: RulesOfDirection;
  /** Set if it is uncertain whether the policy exists. */
  readonly isOptional?: true;
  /** Set if its system enforces the policy only in some versions, or with some settings; the policy is then also optional. */
  readonly mayBeRejected?: true;
  /** For a policy of Istio: what it decides at the pods that it selects. */
  readonly mesh?: MeshAuthorization | MeshAuthentication;
  /** For a policy of Calico: its place among the others. */
  readonly place?: CalicoPlace;
  /** For a policy in a list of policies: its index in the list `specs`. */
  readonly inSpecs?: number;
}

/**
 * What a setting of a network plugin may change. `allows`: connections that policies deny may be allowed. `denies`: connections
 * that policies allow may be denied. `denies to nodes`: connections of pods to their node may be denied. `isolates`: pods that no
 * policy isolates may be isolated. `ignores ...`: some policies, or some labels, may have no effect. `creates endpoints of hosts`:
 * nodes have endpoints to which policies of Calico apply.
 */
export type SettingEffect =
  | 'allows'
  | 'denies'
  | 'denies to nodes'
  | 'isolates'
  | 'ignores NetworkPolicies'
  | 'ignores policies of Cilium'
  | 'ignores labels'
  | 'creates endpoints of hosts';

export interface ReachWorld {
  readonly pods: readonly ReachPod[];
  /** The namespaces for which a Namespace object is known. */
  readonly namespaces: readonly ReachNamespace[];
  readonly policies: readonly ReachPolicy[];
  /** The network plugins that may run, besides those whose policies are evaluated. */
  readonly plugins?: readonly Plugin[];
  /** The named groups of addresses to which policies refer. */
  readonly addressGroups?: readonly AddressGroup[];
  /** The sets of addresses, service accounts and tiers to which policies of Calico refer. */
  readonly networkSets?: readonly NetworkSet[];
  readonly serviceAccounts?: readonly ReachServiceAccount[];
  readonly tiers?: readonly CalicoTierObject[];
  /** Whether there are host endpoints of Calico, to which global policies also apply. */
  readonly hasHostEndpoints?: boolean;
  /** The effects of settings of network plugins. */
  readonly settings?: readonly SettingEffect[];
  /** Whether DestinationRules of Istio determine which connections use mutual TLS. */
  readonly hasTlsSettings?: boolean;
  /**
   * Whether namespaces without a known Namespace object may have unknown labels. Their label
   * `kubernetes.io/metadata.name` is always known.
   */
  readonly namespacesOpen?: boolean;
  /** Whether there may be further, unknown NetworkPolicies. */
  readonly policiesOpen?: boolean;
}
