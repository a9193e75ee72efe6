/** Decides which rules run on a file, and how severe each finding is: by the configuration, otherwise by the level. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Level, severityAt } from '../../settings/level.ts';
import type { RuleSeverity } from '../../settings/settings.ts';
import type { CheckInput } from './context.ts';
import type { Finding, Rule, Severity } from './rule.ts';

/** The configured severities of one file. */
export interface SeverityChoice {
  /** The severity that is configured for a rule in an object, or in the file. Undefined if none is. */
  severityOf(rule: string, object?: ManifestObject): RuleSeverity | undefined;
  /** Whether the configured severity of a rule may differ between the objects of this file. */
  differs(rule: string): boolean;
  /** The preset of the severities that are not configured. */
  readonly level: Level;
}

interface RuleChoice {
  /** `off` if the rule does not run; undefined if each finding has its own severity. */
  readonly severity: RuleSeverity | undefined;
  /** The finding with its severity; undefined if it is not reported. */
  reported(finding: Finding): Finding | undefined;
}

/** Returns the choice for a rule on a file. */
export function choiceFor(rule: Rule, input: CheckInput, { severityOf, differs, level }: SeverityChoice): RuleChoice {
  const inFile = severityOf(rule.id);
  const isOff = rule.severity === 'off' && inFile === undefined && !rule.isEnabledBy?.(input);
  const usual = isOff ? severityAt(level, 'off') : undefined;
  const severity = inFile ?? usual;
  const isByObject = differs(rule.id);
  const of = ({ span, severity: own }: Finding): RuleSeverity => {
    const configured = isByObject ? severityOf(rule.id, objectAt(input.manifest, span.start)) : inFile;
    return configured ?? usual ?? severityAt(level, own);
  };
  return {
    severity: isByObject && severity === 'off' ? undefined : severity,
    reported: (finding) => withSeverity(finding, of(finding)),
  };
}

function withSeverity(finding: Finding, severity: RuleSeverity): Finding | undefined {
  if (severity === finding.severity) return finding;
  return severity === 'off' ? undefined : { ...finding, severity: severity satisfies Severity };
}
