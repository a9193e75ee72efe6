/** The options `--rule` and `--exclude-rule`, which limit a check to some rules. */

import { isConfigFault, ruleIds } from '../../rules/framework/check.ts';
import { loadedRules } from '../../rules/framework/loaded-rules.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import type { Arguments, Option } from '../commands/command.ts';
import { didYouMean, UsageError } from './arguments.ts';

export const ruleOptions: readonly Option[] = [
  {
    name: 'rule',
    value: 'RULE',
    several: true,
    description: 'Report only findings of this rule, even if the rule is off by default. Can be repeated.',
    input: 'Report only findings of these rules.',
  },
  {
    name: 'exclude-rule',
    value: 'RULE',
    several: true,
    description: 'Do not report findings of this rule. Can be repeated.',
    input: '',
  },
];

export interface ChosenRules {
  /** The rules that are off by default and requested by name. */
  readonly requested: readonly string[];
  /** Whether the findings of every rule are reported. */
  readonly isEvery: boolean;
  /** Tests whether a finding is reported. Faults of a configuration are always reported. */
  isReported(finding: Pick<Finding, 'rule' | 'severity'> & { readonly uri: string }): boolean;
}

/** Returns the rules that a command line limits the report to. Throws a UsageError for a rule that does not exist. */
export function chosenRules(given: Arguments): ChosenRules {
  const [only = [], excluded = []] = ruleOptions.map(({ name }) => given.lists.get(name));
  for (const name of [...only, ...excluded]) {
    if (ruleIds().includes(name)) continue;
    const hint = didYouMean(name, ruleIds());
    throw new UsageError(`Unknown rule '${name}'.${hint === '' ? " 'selector-lens rule' lists all." : hint}`);
  }
  const isChosen = (rule: string) => (only.length === 0 || only.includes(rule)) && !excluded.includes(rule);
  return {
    requested:
      only.length === 0
        ? []
        : loadedRules().flatMap(({ id, severity }) => (severity === 'off' && only.includes(id) ? [id] : [])),
    isEvery: only.length === 0 && excluded.length === 0,
    isReported: (finding) => isChosen(finding.rule) || isConfigFault(finding.uri, finding),
  };
}
