/** Finds the policies that apply to a pod in one direction, by tier. */

import { and } from '../answers.ts';
import { getOrAdd } from '../memoize.ts';
import type { Answer } from '../types.ts';
import type { Peers, PodClass } from './peers.ts';
import type { Direction, ReachPolicy, Tier } from './types.ts';

/** A policy that applies to a pod in one direction, or may apply to it. */
export interface Selecting {
  readonly policy: ReachPolicy;
  /** The index of the policy in the model. */
  readonly index: number;
  /** Whether the policy selects the pod: `maybe` or `yes`. */
  readonly answer: Answer;
}

export interface Profile {
  /** A key that is the same for equal profiles of one model; empty if no policies apply. */
  readonly key: string;
  /** Policies grouped by priority, in ascending order: a lower number takes precedence. */
  readonly admin: readonly (readonly Selecting[])[];
  /**
   * Policies that certainly select the pod come first; within both groups, policies that select more classes come
   * first.
   */
  readonly network: readonly Selecting[];
  readonly baseline: readonly (readonly Selecting[])[];
  /** Policies of Cilium, which decide together with NetworkPolicies. */
  readonly cilium: readonly Selecting[];
  /** Policies of Calico, with the NetworkPolicies in its default tier. */
  readonly calico: readonly Selecting[];
  /** Policies that can only deny what all others allow. */
  readonly mesh: readonly Selecting[];
  /** Policies whose tier or priority is unknown. */
  readonly unplaced: readonly Selecting[];
  /** Whether any policies apply that are no NetworkPolicies. */
  readonly hasOthers: boolean;
}

export class Profiles {
  readonly #peers: Peers;
  readonly #policies: readonly ReachPolicy[];
  /** The number of classes that each policy selects. */
  readonly #counts = new Map<number, number>();
  readonly #known: Readonly<Record<Direction, Map<number, Profile>>> = { ingress: new Map(), egress: new Map() };

  constructor(peers: Peers, policies: readonly ReachPolicy[]) {
    this.#peers = peers;
    this.#policies = policies;
    for (const each of peers.classes)
      for (const index of peers.selectingPolicies(each)) this.#counts.set(index, this.#count(index) + 1);
  }

  /** Returns the policies that apply to a class of pods in a direction. */
  of(subject: PodClass, direction: Direction): Profile {
    return getOrAdd(this.#known[direction], subject.place, () => {
      const selecting = this.#peers.selectingPolicies(subject).flatMap((index): readonly Selecting[] => {
        const policy = this.#policies[index];
        if (policy === undefined) return [];
        const selects = this.#peers.includes(policy, policy.subject, subject);
        const certain = policy.isOptional ? and(selects, 'maybe') : selects;
        const answer = and(policy[direction].covers, certain);
        return answer === 'no' ? [] : [{ policy, index, answer }];
      });
      const network = selecting.filter(({ policy }) => policy.tier === 'NetworkPolicy');
      const others = selecting.filter(({ policy }) => policy.tier !== 'NetworkPolicy');
      const inTier = (tier: Tier) => others.filter(({ policy }) => policy.tier === tier);
      const [cilium, calico, mesh] = [inTier('Cilium'), inTier('Calico'), inTier('Mesh')];
      const placed = others.filter(({ policy }) => policy.tier !== undefined && policy.priority !== undefined);
      return {
        key: selecting.map(({ index, answer }) => `${index}${answer === 'yes' ? '' : '?'}`).join(),
        admin: byPriority(placed.filter(({ policy }) => policy.tier === 'Admin')),
        network: network.toSorted((a, b) => this.#order(a, b)),
        baseline: byPriority(placed.filter(({ policy }) => policy.tier === 'Baseline')),
        cilium,
        calico,
        mesh,
        unplaced: others.filter((each) => ![placed, cilium, calico, mesh].some((list) => list.includes(each))),
        hasOthers: others.length > 0,
      };
    });
  }

  #order(a: Selecting, b: Selecting): number {
    if (a.answer !== b.answer) return a.answer === 'yes' ? -1 : 1;
    return this.#count(b.index) - this.#count(a.index) || a.index - b.index;
  }

  #count(policy: number): number {
    return this.#counts.get(policy) ?? 0;
  }
}

/** Returns all policies of a profile. */
export function policiesIn(profile: Profile): readonly Selecting[] {
  const { admin, network, cilium, calico, mesh, baseline, unplaced } = profile;
  return [...admin.flat(), ...network, ...cilium, ...calico, ...mesh, ...baseline.flat(), ...unplaced];
}

function byPriority(selecting: readonly Selecting[]): readonly (readonly Selecting[])[] {
  const groups = new Map<number, Selecting[]>();
  for (const each of selecting) getOrAdd(groups, each.policy.priority ?? 0, (): Selecting[] => []).push(each);
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
