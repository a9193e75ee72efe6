/** Loads the rules from a bundle of their own when they are first needed. */

import { areRulesLoaded } from '../rules/framework/loaded-rules.ts';

export async function loadRules(): Promise<void> {
  // A server contains the rules, and its bundle must not load them again.
  if (!areRulesLoaded()) await import('../rules/all.ts');
}
