/** What is wrong with a file? Runs the rules; the only place where the user's severities are applied. */

import type { Log } from '../log.ts';
import type { RuleSeverity, Settings } from '../settings/settings.ts';
import { allRules } from './all.ts';
import type { Finding, Rule, RuleContext } from './rule.ts';

/** The findings of every rule that is on, in the order of the file. A rule that fails is logged and takes no other down. */
export function check(context: RuleContext, settings: Settings, log: Log): readonly Finding[] {
  const findings = allRules.flatMap((rule) => runRule(rule, context, settings.rules[rule.id], log));
  return findings.toSorted((a, b) => a.span.start - b.span.start);
}

function runRule(rule: Rule, context: RuleContext, chosen: RuleSeverity | undefined, log: Log): readonly Finding[] {
  if (chosen === 'off') return [];
  try {
    const findings = [...rule.find(context)];
    return chosen === undefined ? findings : findings.map((finding) => ({ ...finding, severity: chosen }));
  } catch (error) {
    log.bug(`rule ${rule.id} on ${context.uri}`, error);
    return [];
  }
}
