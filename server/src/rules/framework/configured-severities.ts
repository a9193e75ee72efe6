/** Determines which rules run on a file, and the severity of each finding. The configuration takes precedence over the level. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import { isCommentedOut } from '../../manifests/inline/commented-out.ts';
import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import { configName } from '../../settings/config.ts';
import { type Level, severityAt } from '../../settings/level.ts';
import type { RuleSeverity } from '../../settings/settings.ts';
import type { Span } from '../../text/span.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import type { CheckInput } from './context.ts';
import type { Finding, Rule, Severity } from './rule.ts';
import { isTestData, isUnapplied } from './test-data.ts';

export interface SeverityChoice {
  /**
   * Returns the severity that is configured for a rule, either for an object or for the whole file; undefined if none
   * is configured.
   */
  severityOf(rule: string, object?: ManifestObject): RuleSeverity | undefined;
  /** Whether any severity may be configured. */
  readonly isConfigured: boolean;
  /** Whether the configured severity of a rule may differ between the objects of this file. */
  differs(rule: string): boolean;
  /** The level, which determines the severities of rules that are not configured. */
  readonly level: Level;
}

/** Returns the severity of a rule in a file: `off` if the rule does not run, and undefined if each finding has its own severity. */
export function severityIn(rule: Rule, input: CheckInput, choice: SeverityChoice): RuleSeverity | undefined {
  if (!choice.isConfigured && rule.severity !== 'off') return undefined;
  const severity = choice.severityOf(rule.id) ?? usualSeverity(rule, input, choice);
  return severity === 'off' && choice.differs(rule.id) ? undefined : severity;
}

/** Returns a finding of a rule with its severity; undefined if the finding is not reported. */
export function reported(finding: Finding, rule: Rule, input: CheckInput, choice: SeverityChoice): Finding | undefined {
  const object = choice.differs(rule.id) ? objectAt(input.manifest, finding.span.start) : undefined;
  const configured = choice.severityOf(rule.id, object) ?? usualSeverity(rule, input, choice);
  const severity: RuleSeverity = configured ?? severityAt(choice.level, ownSeverity(finding, input));
  if (severity === finding.severity) return finding;
  return severity === 'off' ? undefined : { ...finding, severity: severity satisfies Severity };
}

/** The rules for a selector that misses a similar label, which is a mistake in tests and documentation as well. */
const selectorRules = new Set(['selects-nothing', 'selector-template-mismatch', 'selector-unsatisfiable']);

/** Returns the severity of a finding that is not configured. In test data, which is often incorrect on purpose, and in files that are not applied, it is at most `information`; in a command that is commented out, it is a hint. */
function ownSeverity({ rule, severity, span }: Finding, input: CheckInput): Severity {
  const { uri, workspace } = input;
  const { folders } = workspace;
  if (severity === 'hint' || fileNameOf(uri) === configName) return severity;
  const command = commandAt(input.manifest, span.start);
  if (command !== undefined && isCommentedOut(fileNameOf(uri), input.readText(), command.start)) return 'hint';
  if (severity === 'information') return severity;
  const isLess = isTestData(uri, folders) || (!selectorRules.has(rule) && isUnapplied(uri, folders));
  return isLess ? 'information' : severity;
}

/** Returns the position of the command that contains an offset. */
function commandAt({ inline = [], words = [] }: Manifest, offset: number): Span | undefined {
  const object = inline.find(({ span }) => span.start <= offset && offset < span.end);
  if (object !== undefined) return object.kindSpan;
  const isAt = (each: Span) => each.start <= offset && offset <= each.end;
  return words.find((word) => isAt(wordSpan(word)))?.at;
}

/** Returns the severity of a rule that is off by default, unless the rule is configured or enabled for the file; undefined for all other rules. */
function usualSeverity(rule: Rule, input: CheckInput, { severityOf, level }: SeverityChoice): RuleSeverity | undefined {
  const isOff = rule.severity === 'off' && severityOf(rule.id) === undefined && !rule.isEnabledBy?.(input);
  return isOff ? severityAt(level, 'off') : undefined;
}
