/** Computes the decision of the policies at one end of a connection, tier by tier. */

import { getOrAdd } from '../memoize.ts';
import { type NetworkOutcome, NetworkTier } from './network-tier.ts';
import type { PeerClass, PodClass } from './peers.ts';
import type { PortSet } from './ports.ts';
import type { Profile, Profiles, Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import type { Direction } from './types.ts';

/** The ports that an end may allow, and the ports that it may deny; each port is in at least one of the two sets. */
export interface Verdict {
  readonly id: number;
  readonly allow: PortSet;
  readonly deny: PortSet;
}

/** The outcomes that rules may have, each with its ports. */
interface Outcomes {
  accept: PortSet;
  deny: PortSet;
  pass: PortSet;
  /** Ports for which it is possible that no rule decides. */
  rest: PortSet;
}

/** One end of a connection: a class of pods, the direction, and the class of the other end. */
interface End {
  readonly subject: PodClass;
  readonly direction: Direction;
  readonly other: PeerClass;
}

export class Verdicts {
  readonly #rules: RuleMatches;
  readonly #profiles: Profiles;
  readonly #network: NetworkTier;
  readonly #verdicts = new Map<number, Verdict>();

  constructor(rules: RuleMatches, profiles: Profiles, policiesOpen: boolean) {
    this.#rules = rules;
    this.#profiles = profiles;
    this.#network = new NetworkTier(rules, policiesOpen);
  }

  /**
   * Returns the decision of the policies that apply to a class of pods about connections with the members of a
   * different class.
   */
  verdict(subject: PodClass, direction: Direction, other: PeerClass): Verdict {
    const profile = this.#profiles.of(subject, direction);
    const decided = this.#network.decide(profile.network, subject, direction, other);
    const network = direction === 'ingress' && isOnNode(other) ? this.#alsoFromNodes(decided) : decided;
    if (!profile.hasClusterPolicies) return this.#verdictOf(network.allow, network.deny);
    return this.#inTiers(profile, network, { subject, direction, other });
  }

  /** Traffic from the node of a pod is always allowed, and the effect of NetworkPolicies on other pods of the host network is undefined. */
  #alsoFromNodes(network: NetworkOutcome): NetworkOutcome {
    const { all } = this.#rules.sets;
    return { ...network, accept: all, allow: all };
  }

  #inTiers({ admin, baseline, unplaced }: Profile, network: NetworkOutcome, end: End): Verdict {
    const { sets } = this.#rules;
    const { all } = sets;
    const first = this.#tier(admin, all, end);
    const evaluated = sets.union(first.pass, first.rest);
    const third = this.#tier(baseline, sets.intersection(evaluated, network.pass), end);
    let allow = sets.union(first.accept, sets.intersection(evaluated, network.accept));
    for (const part of [third.accept, third.pass, third.rest]) allow = sets.union(allow, part);
    let deny = sets.union(sets.union(first.deny, sets.intersection(evaluated, network.deny)), third.deny);
    for (const selecting of unplaced) {
      const { accept, deny: denied, pass } = this.#outcomes({ ...selecting, answer: 'maybe' }, all, end);
      const matched = sets.union(sets.union(accept, denied), pass);
      allow = sets.union(allow, matched);
      deny = sets.union(deny, matched);
    }
    return this.#verdictOf(allow, deny);
  }

  #verdictOf(allow: PortSet, deny: PortSet): Verdict {
    const key = allow.id * maximumSets + deny.id;
    return getOrAdd(this.#verdicts, key, () => ({ id: this.#verdicts.size, allow, deny }));
  }

  /** Evaluates the rules of a policy in their order: the first matching rule decides. */
  #outcomes({ policy, answer }: Selecting, evaluated: PortSet, { subject, direction, other }: End): Outcomes {
    const { sets } = this.#rules;
    const { none } = sets;
    const target = direction === 'ingress' ? subject : other;
    const outcomes: Outcomes = { accept: none, deny: none, pass: none, rest: evaluated };
    for (const rule of policy[direction].rules) {
      if (outcomes.rest === none) break;
      const { certain, possible } = this.#rules.matches(policy, rule, other, target);
      const matched = sets.intersection(outcomes.rest, possible);
      for (const [action, outcome] of actions)
        if (rule.action === action || rule.action === undefined)
          outcomes[outcome] = sets.union(outcomes[outcome], matched);
      if (answer === 'yes') outcomes.rest = sets.difference(outcomes.rest, certain);
    }
    return outcomes;
  }

  /** If several policies of one priority match, the network plugin may apply any of them. */
  #tier(groups: Profile['admin'], evaluated: PortSet, end: End): Outcomes {
    const { sets } = this.#rules;
    const { none } = sets;
    const tier: Outcomes = { accept: none, deny: none, pass: none, rest: evaluated };
    for (const group of groups) {
      let rest = tier.rest;
      for (const selecting of group) {
        const outcomes = this.#outcomes(selecting, tier.rest, end);
        for (const [, outcome] of actions) tier[outcome] = sets.union(tier[outcome], outcomes[outcome]);
        rest = sets.intersection(rest, outcomes.rest);
      }
      tier.rest = rest;
    }
    return tier;
  }
}

/** Whether the pods of a class may use the network of their node. */
function isOnNode(peer: PeerClass): boolean {
  return peer.kind === 'pods' && (peer.pod.hostNetwork ?? 'no') !== 'no';
}

/** The limit on the number of port sets. Memory is exhausted long before; two ids below the limit can be combined into one exact number. */
const maximumSets = 2 ** 25;

const actions = [
  ['Accept', 'accept'],
  ['Deny', 'deny'],
  ['Pass', 'pass'],
] as const;
