/**
 * Public interface of network reachability, the part of the engine that decides which connections NetworkPolicies
 * allow.
 */

export type { AddressClass } from './address-classes.ts';
export {
  type Address,
  type AddressBlock,
  type AddressRange,
  addressText,
  cidrsOf,
  everyAddress,
  isWithin,
  parseAddress,
  parseCidr,
  parseRange,
} from './addresses.ts';
export { ruleImplies } from './implied-rules.ts';
export type { Lack } from './lacks.ts';
export { markOpen, markOptional } from './partial.ts';
export type { PeerClass, PodClass } from './peers.ts';
export { pluginsOf } from './plugin-readings.ts';
export {
  firstPort,
  hasPort,
  maxPort,
  type PortSet,
  PortSets,
  type ProtocolPorts,
  portsByProtocol,
  protocols,
} from './ports.ts';
export { type Profile, policiesIn, type Selecting } from './profiles.ts';
export type {
  ConnectionEnd,
  NearMiss,
  PodEnd,
  PolicyAtEnd,
  Proof,
  ProofAtEnd,
  RuleAtEnd,
  Uncertainty,
  UnmatchedPeer,
} from './proof-types.ts';
export { type Connections, Reachability } from './reachability.ts';
export { readNet } from './read-calico-entity.ts';
export { appliesToForwarded, readCalicoPolicy } from './read-calico-policy.ts';
export { readCiliumPolicy } from './read-cilium-policy.ts';
export { readClusterNetworkPolicy } from './read-cluster-policy.ts';
export { type IstioPolicySource, readIstioPolicy } from './read-istio-policy.ts';
export { readNetworkPolicy } from './read-network-policy.ts';
export type {
  Action,
  AddressGroup,
  CalicoTierObject,
  ContainerPort,
  Direction,
  NetworkSet,
  Peer,
  Plugin,
  PortMatch,
  Protocol,
  ReachNamespace,
  ReachPod,
  ReachPolicy,
  ReachServiceAccount,
  ReachWorld,
  Rule,
  RulesOfDirection,
  SettingEffect,
  Tier,
} from './types.ts';
