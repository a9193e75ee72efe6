/** Provides the rules to the code that evaluates them. They are a quarter of all code, so commands that evaluate no rules do not load them. */

import type { Rule } from './rule.ts';

let rules: readonly Rule[] | undefined;

/** Makes the rules available; `rules/all.ts` calls this when it is loaded. */
export function provideRules(all: readonly Rule[]): void {
  rules = all;
}

/** Whether the rules are loaded. */
export function areRulesLoaded(): boolean {
  return rules !== undefined;
}

/** Returns all rules. Throws an error if they are not loaded. */
export function loadedRules(): readonly Rule[] {
  if (rules === undefined) throw new Error('the rules are not loaded');
  return rules;
}
