/** Evaluates the tiers of Calico, with the NetworkPolicies among them, at one end of a connection. Source: felix/calc and felix/rules of Calico. */

import { getOrAdd } from '../memoize.ts';
import type { Allowance, End } from './cilium-tier.ts';
import { tierOf } from './ordered-rules.ts';
import type { Profile, Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import type { CalicoTierObject, ReachWorld } from './types.ts';

/** The tier of policies that name none, and its order. */
const defaultTier = 'default';
const defaultTierOrder = 1_000_000;
/** The order of NetworkPolicies in the default tier. */
const networkPolicyOrder = 1000;

/** The tiers that Calico creates. */
const created: readonly CalicoTierObject[] = [
  { name: defaultTier, order: defaultTierOrder, defaultAction: 'Deny' },
  { name: 'kube-admin', order: 1000, defaultAction: undefined },
  { name: 'kube-baseline', order: 10_000_000, defaultAction: undefined },
];

/** A tier that has policies for the pods of a class, in groups whose order is known. */
export interface CalicoTier {
  readonly tier: CalicoTierObject;
  readonly groups: readonly (readonly Selecting[])[];
}

export class CalicoTiers {
  readonly #rules: RuleMatches;
  readonly #tiers: ReadonlyMap<string, CalicoTierObject>;
  readonly #isOpen: boolean;
  readonly #known = new WeakMap<Profile, readonly CalicoTier[]>();

  constructor(rules: RuleMatches, { tiers = [], policiesOpen }: ReachWorld) {
    this.#rules = rules;
    this.#isOpen = policiesOpen === true;
    const own = tiers.filter(({ name }) => created.every((each) => each.name !== name));
    this.#tiers = new Map([...created, ...own].map((tier) => [tier.name, tier]));
  }

  /** Returns the decision of all policies of a profile. */
  decide(profile: Profile, end: End): Allowance {
    const { sets } = this.#rules;
    const { all, none } = sets;
    let [allow, deny, evaluated] = [none, none, all];
    for (const { tier, groups } of this.tiersOf(profile)) {
      const outcomes = tierOf(this.#rules, groups, evaluated, end);
      const isCertain = groups.some((group) => group.some(({ answer }) => answer === 'yes'));
      const isOpen = this.#isOpen && tier.name === defaultTier;
      allow = sets.union(allow, isOpen ? sets.union(outcomes.accept, outcomes.rest) : outcomes.accept);
      deny = sets.union(deny, outcomes.deny);
      if (tier.defaultAction !== 'Pass') deny = sets.union(deny, outcomes.rest);
      const isPassed = tier.defaultAction !== 'Deny' || !isCertain;
      evaluated = isPassed ? sets.union(outcomes.pass, outcomes.rest) : outcomes.pass;
    }
    // The profiles of a pod allow what no tier decides.
    return { allow: sets.union(allow, evaluated), deny };
  }

  /** Whether the place of a policy is known. */
  isPlaced({ policy: { place } }: Selecting): boolean {
    return place !== undefined && this.#tiers.get(place.tier)?.order !== undefined;
  }

  /** Returns the tiers that have policies for a profile, in their order. */
  tiersOf(profile: Profile): readonly CalicoTier[] {
    return getOrAdd(this.#known, profile, () => {
      const byTier = new Map<string, Selecting[]>();
      for (const each of profile.calico)
        if (this.isPlaced(each)) getOrAdd(byTier, each.policy.place?.tier ?? '', (): Selecting[] => []).push(each);
      if (profile.network.length > 0 || this.#isOpen) getOrAdd(byTier, defaultTier, () => []).push(...profile.network);
      return [...byTier]
        .flatMap(([name, policies]): readonly CalicoTier[] => {
          const tier = this.#tiers.get(name);
          return tier === undefined ? [] : [{ tier, groups: groupsOf(policies) }];
        })
        .sort((a, b) => compare(a.tier, b.tier));
    });
  }
}

/** Sorts the policies of a tier. Which of several policies with the order of NetworkPolicies comes first is unknown, and so is it for policies of equal order whose names versions of Calico sort differently. */
function groupsOf(policies: readonly Selecting[]): readonly (readonly Selecting[])[] {
  const orderOf = ({ policy }: Selecting) => policy.place?.order ?? networkPolicyOrder;
  const nameOf = ({ policy }: Selecting) => policy.place?.name ?? '';
  const sorted = policies.toSorted((a, b) =>
    compare({ order: orderOf(a), name: nameOf(a) }, { order: orderOf(b), name: nameOf(b) }),
  );
  const groups: Selecting[][] = [];
  const areMixed = policies.some(({ policy }) => policy.place === undefined);
  for (const [index, each] of sorted.entries()) {
    const last = groups.at(-1);
    const isEqual = last?.[0] !== undefined && orderOf(last[0]) === orderOf(each);
    const isBeside = areMixed && orderOf(each) === networkPolicyOrder;
    if (isEqual && (isBeside || isUnsorted(last, sorted.slice(index)))) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** Whether older versions of Calico sort a policy before the policies of a group, which have the same order. */
function isUnsorted(group: readonly Selecting[], [first, ...later]: readonly Selecting[]): boolean {
  const order = first?.policy.place?.order;
  const rest = [first, ...later].filter((each) => each?.policy.place?.order === order);
  const nameOf = (each: Selecting | undefined) => each?.policy.place?.olderName ?? '';
  return group.some((before) => rest.some((each) => nameOf(each) < nameOf(before)));
}

interface Ordered {
  readonly order: number | undefined;
  readonly name: string;
}

function compare(a: Ordered, b: Ordered): number {
  const [first, second] = [a.order ?? 0, b.order ?? 0];
  if (first !== second) return first < second ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
