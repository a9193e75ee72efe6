/** Evaluates policies whose rules decide in their order. */

import type { End } from './cilium-tier.ts';
import type { PortSet } from './ports.ts';
import type { Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';

/** The outcomes that rules may have, each with its ports. */
export interface Outcomes {
  accept: PortSet;
  deny: PortSet;
  pass: PortSet;
  /** Ports for which it is possible that no rule decides. */
  rest: PortSet;
}

const actions = [
  ['Accept', 'accept'],
  ['Deny', 'deny'],
  ['Pass', 'pass'],
] as const;

/** Evaluates the rules of a policy in their order: the first matching rule decides. */
export function outcomesOf(
  rules: RuleMatches,
  { policy, answer }: Selecting,
  evaluated: PortSet,
  { subject, direction, other }: End,
): Outcomes {
  const { sets } = rules;
  const { none } = sets;
  const target = direction === 'ingress' ? subject : other;
  const outcomes: Outcomes = { accept: none, deny: none, pass: none, rest: evaluated };
  for (const rule of policy[direction].rules) {
    if (outcomes.rest === none) break;
    const { certain, possible } = rules.matches(policy, rule, other, target, subject);
    const matched = sets.intersection(outcomes.rest, possible);
    for (const [action, outcome] of actions)
      if (rule.action === action || rule.action === undefined)
        outcomes[outcome] = sets.union(outcomes[outcome], matched);
    if (answer === 'yes') outcomes.rest = sets.difference(outcomes.rest, certain);
  }
  return outcomes;
}

/** Evaluates groups of policies in their order. If several policies of one group match, any of them may decide. */
export function tierOf(
  rules: RuleMatches,
  groups: readonly (readonly Selecting[])[],
  evaluated: PortSet,
  end: End,
): Outcomes {
  const { sets } = rules;
  const { none } = sets;
  const tier: Outcomes = { accept: none, deny: none, pass: none, rest: evaluated };
  for (const group of groups) {
    let rest = tier.rest;
    for (const selecting of group) {
      const outcomes = outcomesOf(rules, selecting, tier.rest, end);
      for (const [, outcome] of actions) tier[outcome] = sets.union(tier[outcome], outcomes[outcome]);
      rest = sets.intersection(rest, outcomes.rest);
    }
    tier.rest = rest;
  }
  return tier;
}
