/** Evaluates the policies of Cilium together with NetworkPolicies at one end of a connection. Source: pkg/policy of Cilium. */

import { and } from '../answers.ts';
import { getOrAdd, memoized } from '../memoize.ts';
import type { Answer } from '../types.ts';
import type { NetworkOutcome } from './network-tier.ts';
import type { PeerClass, PodClass } from './peers.ts';
import type { PortSet } from './ports.ts';
import type { Profile, Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import type { Direction, Rule } from './types.ts';

/** The ports that an end may allow, and the ports that it may deny. */
export interface Allowance {
  readonly allow: PortSet;
  readonly deny: PortSet;
}

/** One end of a connection: a class of pods, the direction, and the class of the other end. */
export interface End {
  readonly subject: PodClass;
  readonly direction: Direction;
  readonly other: PeerClass;
}

/** The ports that the rules of some policies match. */
interface Matched {
  /** Ports that some allowing rule certainly matches. */
  allowed: PortSet;
  mayBeAllowed: PortSet;
  denied: PortSet;
  mayBeDenied: PortSet;
}

/** Ports on which only some requests are allowed, and ports that other rules for the same peers allow. */
interface PartialPorts {
  partial: PortSet;
  plain: PortSet;
}

export class CiliumTier {
  readonly #rules: RuleMatches;

  constructor(rules: RuleMatches) {
    this.#rules = rules;
  }

  /** Returns the decision of all policies of a profile. `network` is the decision of the NetworkPolicies. */
  decide({ cilium, network: policies }: Profile, network: NetworkOutcome, end: End): Allowance {
    const { sets } = this.#rules;
    const { all, none } = sets;
    const isolatedByNetwork = network.pass === none;
    const total: Matched = {
      allowed: isolatedByNetwork ? sets.difference(all, network.deny) : none,
      mayBeAllowed: policies.length > 0 || network.accept === all ? network.accept : none,
      denied: none,
      mayBeDenied: none,
    };
    const partial = new Map<string, PartialPorts>();
    let isolated: Answer = isolatedByNetwork ? 'yes' : 'no';
    const possibly: PortSet[] = policies.length > 0 && !isolatedByNetwork ? [sets.difference(all, network.deny)] : [];
    for (const each of cilium) {
      const own = this.#matched(each, end, partial);
      const isCertain = each.answer === 'yes';
      if (isCertain) {
        total.allowed = sets.union(total.allowed, own.allowed);
        total.denied = sets.union(total.denied, own.denied);
      }
      total.mayBeAllowed = sets.union(total.mayBeAllowed, own.mayBeAllowed);
      total.mayBeDenied = sets.union(total.mayBeDenied, own.mayBeDenied);
      const isolates = and(each.answer, each.policy[end.direction].isolates ?? 'no');
      if (isolates === 'yes') isolated = 'yes';
      else if (isolates === 'maybe') possibly.push(own.allowed);
    }
    const allow = isolated === 'yes' ? total.mayBeAllowed : all;
    let deny = total.mayBeDenied;
    if (isolated === 'yes') deny = sets.union(deny, sets.difference(all, total.allowed));
    else for (const own of possibly) deny = sets.union(deny, sets.difference(all, sets.union(own, total.allowed)));
    for (const { partial: some, plain } of partial.values()) deny = sets.union(deny, sets.difference(some, plain));
    return { allow: sets.difference(allow, total.denied), deny };
  }

  #matched({ policy, answer }: Selecting, end: End, partial: Map<string, PartialPorts>): Matched {
    const { sets } = this.#rules;
    const { none } = sets;
    const own: Matched = { allowed: none, mayBeAllowed: none, denied: none, mayBeDenied: none };
    const target = end.direction === 'ingress' ? end.subject : end.other;
    for (const rule of policy[end.direction].rules) {
      const { certain, possible } = this.#rules.matches(policy, rule, end.other, target);
      if (possible === none) continue;
      if (rule.action !== 'Accept') {
        own.mayBeDenied = sets.union(own.mayBeDenied, possible);
        if (rule.action === 'Deny') own.denied = sets.union(own.denied, certain);
      }
      if (rule.action === 'Deny') continue;
      own.mayBeAllowed = sets.union(own.mayBeAllowed, possible);
      if (rule.action === 'Accept' && !rule.isPartial) own.allowed = sets.union(own.allowed, certain);
      const ports = getOrAdd(partial, peersKey(rule), () => ({ partial: none, plain: none }));
      if (rule.isPartial) ports.partial = sets.union(ports.partial, possible);
      else if (answer === 'yes' && rule.action === 'Accept' && rule.anyPort === 'no')
        ports.plain = sets.union(ports.plain, certain);
    }
    return own;
  }
}

/** A rule for requests restricts connections of its peers, unless another rule for the same peers allows all requests. */
const peersKey = memoized((rule: Rule): string =>
  JSON.stringify([rule.anyPeer, rule.peers], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
);
