/** What is wrong with a file? Runs the rules; the only place where severities and suppressions are applied. */

import type { Log } from '../log.ts';
import type { RuleSeverity } from '../settings/settings.ts';
import { allRules } from './all.ts';
import type { Finding, Rule, RuleContext } from './rule.ts';

export interface CheckOptions {
  /** The severity that was chosen for a rule in this file; undefined where its own holds. */
  severityOf(rule: string): RuleSeverity | undefined;
  /** Rules that other files decide run too: the workspace is read, and nobody is typing. */
  readonly acrossFiles: boolean;
}

/** The findings of every rule that is on, in the order of the file. A rule that fails is logged and takes no other down. */
export function check(context: RuleContext, options: CheckOptions, log: Log): readonly Finding[] {
  const findings = allRules
    .filter((rule) => options.acrossFiles || !rule.acrossFiles)
    .flatMap((rule) => runRule(rule, context, options.severityOf(rule.id), log));
  return findings.toSorted((a, b) => a.span.start - b.span.start);
}

function runRule(rule: Rule, context: RuleContext, chosen: RuleSeverity | undefined, log: Log): readonly Finding[] {
  if ((chosen ?? rule.severity) === 'off') return [];
  try {
    return [...rule.find(context, chosen === 'off' ? undefined : chosen)];
  } catch (error) {
    log.bug(`rule ${rule.id} on ${context.uri}`, error);
    return [];
  }
}
