/** Determines which rules run on a file, and the severity of each finding, based on the configuration and otherwise on the level. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Level, severityAt } from '../../settings/level.ts';
import type { RuleSeverity } from '../../settings/settings.ts';
import type { CheckInput } from './context.ts';
import type { Finding, Rule, Severity } from './rule.ts';

/** The configured severities of one file. */
export interface SeverityChoice {
  /**
   * Returns the severity that is configured for a rule, for an object or for the file; undefined if none is configured.
   */
  severityOf(rule: string, object?: ManifestObject): RuleSeverity | undefined;
  /** Whether the configured severity of a rule may differ between the objects of this file. */
  differs(rule: string): boolean;
  /** The level, which determines the severities that are not configured. */
  readonly level: Level;
}

/** The severity of a rule in a file: `off` if the rule does not run; undefined if each finding has its own severity. */
export function severityIn(rule: Rule, input: CheckInput, choice: SeverityChoice): RuleSeverity | undefined {
  const severity = choice.severityOf(rule.id) ?? usualSeverity(rule, input, choice);
  return severity === 'off' && choice.differs(rule.id) ? undefined : severity;
}

/** Returns a finding of a rule with its severity; undefined if it is not reported. */
export function reported(finding: Finding, rule: Rule, input: CheckInput, choice: SeverityChoice): Finding | undefined {
  const object = choice.differs(rule.id) ? objectAt(input.manifest, finding.span.start) : undefined;
  const configured = choice.severityOf(rule.id, object) ?? usualSeverity(rule, input, choice);
  const severity: RuleSeverity = configured ?? severityAt(choice.level, finding.severity);
  if (severity === finding.severity) return finding;
  return severity === 'off' ? undefined : { ...finding, severity: severity satisfies Severity };
}

/** The severity of a rule that is off unless it is configured, or enabled by the file. */
function usualSeverity(rule: Rule, input: CheckInput, { severityOf, level }: SeverityChoice): RuleSeverity | undefined {
  const isOff = rule.severity === 'off' && severityOf(rule.id) === undefined && !rule.isEnabledBy?.(input);
  return isOff ? severityAt(level, 'off') : undefined;
}
