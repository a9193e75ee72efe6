/** Computes the decision of the policies at one end of a connection, tier by tier. */

import { getOrAdd, memoized } from '../memoize.ts';
import type { AddressClass } from './address-classes.ts';
import { CalicoTiers } from './calico-tiers.ts';
import { type Allowance, CiliumTier, type End } from './cilium-tier.ts';
import { MeshTier } from './mesh-tier.ts';
import { type NetworkOutcome, NetworkTier } from './network-tier.ts';
import { outcomesOf, tierOf } from './ordered-rules.ts';
import type { PeerClass, PodClass } from './peers.ts';
import { hasPort, type PortSet } from './ports.ts';
import type { Profile, Profiles, Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import { createsHostEndpoints, isOnNode, withSetting } from './settings.ts';
import type { Direction, Protocol, ReachWorld, SettingEffect } from './types.ts';

/** The ports that an end may allow, and the ports that it may deny; each port is in at least one of the two sets. */
export interface Verdict {
  readonly id: number;
  readonly allow: PortSet;
  readonly deny: PortSet;
}

export class Verdicts {
  readonly #rules: RuleMatches;
  readonly #profiles: Profiles;
  readonly #network: NetworkTier;
  readonly #cilium: CiliumTier;
  readonly calico: CalicoTiers;
  readonly mesh: MeshTier;
  readonly #sctp: PortSet;
  /** Whether a setting decides about SCTP: Cilium drops it unless it is enabled. */
  readonly isSctpOpen: boolean;
  readonly #verdicts = new Map<number, Verdict>();
  readonly #ofNetwork = new Map<NetworkOutcome, Verdict>();
  /** The last results of `verdict`: a proof of each port of a connection needs them. */
  readonly #last = new Map<
    Direction,
    { readonly subject: PodClass; readonly other: PeerClass; readonly verdict: Verdict }
  >();
  readonly #hasHostEndpoints: boolean;
  readonly #settings: readonly SettingEffect[];
  readonly #ofOutside: Verdict;
  readonly #ofHost: Verdict;

  constructor(rules: RuleMatches, profiles: Profiles, world: ReachWorld) {
    this.#rules = rules;
    this.#profiles = profiles;
    this.#network = new NetworkTier(rules, world.policiesOpen === true);
    this.#cilium = new CiliumTier(rules);
    this.mesh = new MeshTier(rules, world);
    this.calico = new CalicoTiers(rules, world);
    this.#sctp = rules.sets.range('SCTP');
    this.#hasHostEndpoints = world.hasHostEndpoints === true || createsHostEndpoints(world);
    this.#settings = world.settings ?? [];
    this.isSctpOpen = rules.peers.plugins.has('Cilium');
    const { all, none } = rules.sets;
    this.#ofOutside = this.#interned(all, none);
    this.#ofHost = this.#interned(all, all);
  }

  /**
   * Returns the decision of the policies that apply to a class of pods about connections with the members of a
   * different class.
   */
  verdict(subject: PodClass, direction: Direction, other: PeerClass): Verdict {
    const last = this.#last.get(direction);
    if (last?.subject === subject && last.other === other) return last.verdict;
    const verdict = this.#decide(subject, direction, other);
    this.#last.set(direction, { subject, other, verdict });
    return verdict;
  }

  #decide(subject: PodClass, direction: Direction, other: PeerClass): Verdict {
    if (this.isOfHost(subject) || isInCluster(other)) return this.#ofHost;
    const profile = this.#profiles.of(subject, direction);
    const network = this.#networkOutcome(profile, subject, direction, other);
    if (!profile.hasOthers && this.#settings.length === 0)
      return getOrAdd(this.#ofNetwork, network, ({ allow, deny }) => this.#verdictOf(allow, deny));
    const end = { subject, direction, other };
    let decided = this.#decided(profile, network, end);
    for (const effect of this.#settings) decided = withSetting(effect, decided, profile, end, this.#rules.sets);
    const { allow, deny } = profile.hasOthers ? this.#withUnknown(profile, decided, end) : decided;
    return this.#verdictOf(allow, deny);
  }

  /** Returns the indexes of the settings that may change the decision about a port. */
  settingsAt(end: End, protocol: Protocol, port: number): readonly number[] {
    if (this.#settings.length === 0 || this.isOfHost(end.subject) || isInCluster(end.other)) return [];
    const profile = this.#profiles.of(end.subject, end.direction);
    const network = this.#networkOutcome(profile, end.subject, end.direction, end.other);
    const decided = this.#decided(profile, network, end);
    const has = ({ allow, deny }: Allowance) => [allow, deny].map((set) => hasPort(set, protocol, port)).join();
    return this.#settings.flatMap((effect, index) => {
      const changed = withSetting(effect, decided, profile, end, this.#rules.sets);
      return has(changed) === has(decided) ? [] : [index];
    });
  }

  #networkOutcome(profile: Profile, subject: PodClass, direction: Direction, other: PeerClass): NetworkOutcome {
    const decided = this.#network.decide(profile.network, subject, direction, other);
    return direction === 'ingress' && isOnNode(other) ? this.#alsoFromNodes(decided) : decided;
  }

  /** Returns the decision of all policies, except those of a mesh and those whose place is unknown. */
  #decided(profile: Profile, network: NetworkOutcome, end: End): Allowance {
    if (!profile.hasOthers) return network;
    const isOfPlugin = this.#rules.peers.plugin !== undefined;
    return isOfPlugin ? this.#byPlugin(profile, network, end) : this.#inTiers(profile, network, end);
  }

  /** Returns the decision at an end that is an address. */
  verdictAtAddress(addresses: AddressClass): Verdict {
    return this.isOfHost(addresses) ? this.#ofHost : this.#ofOutside;
  }

  /** Whether an end is, or may be, a host endpoint of Calico. What its policies, profiles and ports that are always open allow is not evaluated. */
  isOfHost(end: PeerClass): boolean {
    return end.kind === 'addresses' ? end.isOfHost === true : this.#hasHostEndpoints && isOnNode(end);
  }

  /** Whether a network plugin also evaluates ClusterNetworkPolicies depends on its version. */
  #byPlugin(profile: Profile, network: NetworkOutcome, end: End): Allowance {
    const isOfCalico = this.#rules.peers.plugin === 'Calico';
    const decided = isOfCalico ? this.calico.decide(profile, end) : this.#cilium.decide(profile, network, end);
    // The own node of a pod may always connect to it.
    const isFromNode = end.direction === 'ingress' && isOnNode(end.other);
    const decision = isFromNode ? { ...decided, allow: this.#rules.sets.all } : decided;
    // A policy with an unknown place denies or allows everything, because its tier decides about all connections.
    if (isOfCalico && profile.calico.some((each) => !this.calico.isPlaced(each)))
      return { allow: this.#rules.sets.all, deny: this.#rules.sets.all };
    return this.#withUnplaced([...profile.admin.flat(), ...profile.baseline.flat()], decision, end);
  }

  /** Adds the decisions of policies whose place is unknown, and of policies that can only deny. */
  #withUnknown({ unplaced, mesh }: Profile, decision: Allowance, end: End): Allowance {
    const { sets } = this.#rules;
    let { allow, deny } = this.#withUnplaced(unplaced, decision, end);
    const ofIstio = mesh.filter(({ policy }) => policy.mesh !== undefined);
    if (ofIstio.length > 0) {
      const decided = this.mesh.decide(ofIstio, end);
      allow = sets.intersection(allow, decided.allow);
      deny = sets.union(deny, decided.deny);
    }
    for (const selecting of mesh) {
      if (selecting.policy.mesh !== undefined) continue;
      const { deny: denied, rest } = outcomesOf(this.#rules, selecting, sets.all, end);
      allow = sets.intersection(allow, rest);
      deny = sets.union(deny, denied);
    }
    return { allow, deny };
  }

  /** Policies whose place is unknown may allow or deny everything that they match. */
  #withUnplaced(policies: readonly Selecting[], decision: Allowance, end: End): Allowance {
    const { sets } = this.#rules;
    let { allow, deny } = decision;
    for (const selecting of policies) {
      const { accept, deny: denied, pass } = outcomesOf(this.#rules, { ...selecting, answer: 'maybe' }, sets.all, end);
      const matched = sets.union(sets.union(accept, denied), pass);
      allow = sets.union(allow, matched);
      deny = sets.union(deny, matched);
    }
    return { allow, deny };
  }

  /** Traffic from the node of a pod is always allowed, and the effect of NetworkPolicies on other pods of the host network is undefined. */
  readonly #alsoFromNodes = memoized((network: NetworkOutcome): NetworkOutcome => {
    const { all } = this.#rules.sets;
    return { ...network, accept: all, allow: all };
  });

  #inTiers({ admin, baseline }: Profile, network: NetworkOutcome, end: End): Allowance {
    const { sets } = this.#rules;
    const first = tierOf(this.#rules, admin, sets.all, end);
    const evaluated = sets.union(first.pass, first.rest);
    const third = tierOf(this.#rules, baseline, sets.intersection(evaluated, network.pass), end);
    let allow = sets.union(first.accept, sets.intersection(evaluated, network.accept));
    for (const part of [third.accept, third.pass, third.rest]) allow = sets.union(allow, part);
    const deny = sets.union(sets.union(first.deny, sets.intersection(evaluated, network.deny)), third.deny);
    return { allow, deny };
  }

  #verdictOf(allow: PortSet, decided: PortSet): Verdict {
    return this.#interned(allow, this.isSctpOpen ? this.#rules.sets.union(decided, this.#sctp) : decided);
  }

  #interned(allow: PortSet, deny: PortSet): Verdict {
    const key = allow.id * maximumSets + deny.id;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = { id: this.#verdicts.size, allow, deny };
    this.#verdicts.set(key, verdict);
    return verdict;
  }
}

/** Whether a class consists of addresses of objects in the cluster. */
export function isInCluster(peer: PeerClass): boolean {
  return peer.kind === 'addresses' && peer.isInCluster === true;
}

/** The limit on the number of port sets. Memory is exhausted long before; two ids below the limit can be combined into one exact number. */
const maximumSets = 2 ** 25;
