/** The proof of an answer about a connection: decisions at both ends, reasons for uncertainty, and near misses. */

import type { Answer } from '../types.ts';
import type { AddressClass } from './address-classes.ts';
import type { Lack } from './lacks.ts';
import type { PodClass } from './peers.ts';
import type { Direction, Peer, ReachPod, Rule } from './types.ts';

/** A policy, by its index in the model, at one end of a connection. */
export interface PolicyAtEnd {
  readonly policy: number;
  readonly direction: Direction;
}

/** A rule, by its index in `ingress` or `egress`, or in another list. */
export interface RuleAtEnd extends PolicyAtEnd {
  readonly rule: number;
  readonly list?: Rule['list'];
}

/** A policy that decides, with the rule that decides, if there is one. */
export type DecidingRule = PolicyAtEnd &
  Partial<RuleAtEnd> & {
    /** Set if the policy passes the connection on to the profiles of the pod, which allow it. */
    readonly passes?: true;
  };

/** A reason why an answer is uncertain. */
export interface Uncertainty extends PolicyAtEnd {
  readonly rule?: number;
  readonly list?: Rule['list'];
  /** The index of the setting in the model, if the uncertainty is about one. */
  readonly setting?: number;
  /**
   * `subject`: whether the policy selects the pod. `acceptance`: whether its system enforces the policy. `peer`: whether the rule includes the peer. `port`: whether the rule
   * matches the port. `address of a pod`: whether the peer includes the pod's address. `rule`: whether the rule exists.
   * `mesh`: whether the pods have proxies, or what the policy decides about requests and identities.
   * `requests`: which requests the rule allows on a connection. `order`: whether the policy comes before others.
   * `protocol`: whether the network plugin of the policy supports the protocol. `node`: whether the source is on the
   * node of the pod. `address in the cluster`: what has the address. `host`: whether a host endpoint, to which the address or the pod belongs, allows the connection.
   * `setting`: what a setting of a network plugin changes.
   */
  readonly about:
    | 'subject'
    | 'acceptance'
    | 'peer'
    | 'port'
    | 'address of a pod'
    | 'rule'
    | 'conditions'
    | 'requests'
    | 'order'
    | 'mesh'
    | 'protocol'
    | 'node'
    | 'host'
    | 'setting'
    | 'address in the cluster';
}

/** A rule that would allow the connection if the missing conditions were met. */
export interface NearMiss extends RuleAtEnd {
  /** The index of the peer in `from` or `to`; undefined if the missing condition does not concern the peer. */
  readonly peer?: number;
  readonly lacks: readonly Lack[];
}

/** A peer of a rule that would allow the connection for other pods, but matches no pod of the model. */
export interface UnmatchedPeer extends RuleAtEnd {
  readonly peer: PodPeer;
}

type PodPeer = Extract<Peer, { readonly kind: 'pods' }>;

/** The decision at one end of a connection, regardless of the other end. */
export interface ProofAtEnd {
  readonly direction: Direction;
  readonly answer: Answer;
  /** The rules that allow the connection at this end or, if the answer is not yes, the policies that do not certainly allow it, each with the rule that denies it, if any. */
  readonly by: readonly DecidingRule[];
}

export interface Proof {
  readonly answer: Answer;
  /** The decisions about egress of the source and ingress of the target. */
  readonly ends: readonly ProofAtEnd[];
  /** For an allowed connection: all rules that allow it. */
  readonly allowedBy: readonly DecidingRule[];
  /**
   * For any other connection: the policies at the ends that do not certainly allow it, each with the rule that denies
   * the connection, if any.
   */
  readonly deniedBy: readonly DecidingRule[];
  /** Directions in which no policy applies. */
  readonly notIsolated: readonly Direction[];
  /** For an unknown answer: the reasons for the uncertainty. */
  readonly doubts: readonly Uncertainty[];
  /** For a denied connection: the near misses, those with the fewest missing conditions first. */
  readonly nearMisses: readonly NearMiss[];
  /** For a denied connection: the peers, of rules that match the port, that match no pod. */
  readonly unmatched: readonly UnmatchedPeer[];
}

/** A pod with its class. */
export interface PodEnd {
  readonly peer: PodClass;
  readonly pod: ReachPod;
}

/** One end of a connection. Near misses name the labels of its pod, which other members of the class may not have. */
export type ConnectionEnd = PodEnd | { readonly peer: AddressClass };
