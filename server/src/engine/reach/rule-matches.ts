/** Matches rules of policies: peers by class, ports by target. Results are cached. */

import { and, or } from '../answers.ts';
import { getOrAdd } from '../memoize.ts';
import type { Answer } from '../types.ts';
import type { PeerClass, Peers } from './peers.ts';
import type { PortSets } from './ports.ts';
import { type MatchedPorts, matchedPorts } from './target-ports.ts';
import type { Direction, PortMatch, ReachPolicy, Rule } from './types.ts';

/** A rule with the ports that it certainly and possibly matches. */
export interface MatchingRule extends MatchedPorts {
  readonly rule: Rule;
}

/** One end of a connection, the other end, and the end that accepts the connection. */
export interface ConnectionAtEnd {
  readonly subject: PeerClass;
  readonly direction: Direction;
  readonly other: PeerClass;
  readonly target: PeerClass;
}

export class RuleMatches {
  readonly peers: Peers;
  readonly sets: PortSets;
  readonly #ports = new Map<Rule, ReadonlyMap<string, MatchedPorts> & Map<string, MatchedPorts>>();
  readonly #nothing: MatchedPorts;
  /** The results of `matching` for both ends of the last connection: a proof of each of its ports needs them. */
  readonly #last = new Map<
    Direction,
    { readonly of: ConnectionAtEnd; readonly byPolicy: Map<ReachPolicy, readonly MatchingRule[]> }
  >();

  constructor(sets: PortSets, peers: Peers) {
    this.sets = sets;
    this.peers = peers;
    this.#nothing = { certain: sets.none, possible: sets.none };
  }

  /**
   * Returns the ports that a rule certainly and possibly matches on a target, for connections with the members of a
   * class.
   */
  matches(policy: ReachPolicy, rule: Rule, other: PeerClass, target: PeerClass, subject?: PeerClass): MatchedPorts {
    let peer: Answer = rule.anyPeer;
    for (const each of rule.peers) {
      if (peer === 'yes') break;
      peer = or(peer, this.peers.includes(policy, each, other));
    }
    if (rule.own !== undefined && subject !== undefined)
      peer = and(peer, this.peers.includes(policy, rule.own, subject));
    if (peer === 'no') return this.#nothing;
    const ports = this.portsOf(rule, target);
    return peer === 'yes' && rule.isOptional !== true ? ports : { certain: this.sets.none, possible: ports.possible };
  }

  /** Returns the rules of a policy that match, or may match, some port of a connection at one of its ends. */
  matching(policy: ReachPolicy, at: ConnectionAtEnd): readonly MatchingRule[] {
    const { subject, direction, other, target } = at;
    let last = this.#last.get(direction);
    if (last?.of.subject !== subject || last.of.other !== other || last.of.target !== target) {
      last = { of: at, byPolicy: new Map() };
      this.#last.set(direction, last);
    }
    return getOrAdd(last.byPolicy, policy, () =>
      policy[direction].rules.flatMap((rule): readonly MatchingRule[] => {
        const { certain, possible } = this.matches(policy, rule, other, target, subject);
        return possible === this.sets.none ? [] : [{ rule, certain, possible }];
      }),
    );
  }

  /** Returns the ports that a rule certainly and possibly matches on a target, for any peer. */
  portsOf(rule: Rule, target: PeerClass): MatchedPorts {
    const byTarget = getOrAdd(this.#ports, rule, () => new Map<string, MatchedPorts>());
    // Only named ports differ between targets.
    const key = target.kind === 'addresses' ? target.kind : target.portsKey;
    return getOrAdd(byTarget, key, () => this.#portsOn(rule, target));
  }

  #portsOn({ ports, anyPort, notPorts = [] }: Rule, target: PeerClass): MatchedPorts {
    const { all } = this.sets;
    const matched = (list: readonly PortMatch[]) =>
      matchedPorts(
        this.sets,
        list,
        target.kind === 'pods' ? target.pod : undefined,
        this.peers.plugins.has('Cilium') ? this.peers.pods : undefined,
      );
    const { certain, possible } = matched(ports);
    if (notPorts.length > 0) {
      const excluded = matched(notPorts);
      return {
        certain: this.sets.difference(certain, excluded.possible),
        possible: this.sets.difference(possible, excluded.certain),
      };
    }
    return { certain: anyPort === 'yes' ? all : certain, possible: anyPort === 'no' ? possible : all };
  }
}
