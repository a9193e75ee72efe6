/** Runs the rules on a file, with the severities and suppressions that are configured. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { contain, type Log } from '../../log.ts';
import { configName } from '../../settings/config.ts';
import type { Steps } from '../../steps.ts';
import type { Span } from '../../text/span.ts';
import { isValuesFile } from '../../workspace/charts/chart-files.ts';
import { isSharedTooMuch } from '../../workspace/kustomize/shared-files.ts';
import { appliedVersions } from '../../workspace/kustomize/view.ts';
import type { Unrendered, Workspace } from '../../workspace/model.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { Comparisons, maximumComparisons } from '../../workspace/selection/comparison-budget.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { findAsApplied } from './as-applied.ts';
import { reported, type SeverityChoice, severityIn } from './configured-severities.ts';
import { type CheckInput, Context, concerns, type Others, type Version } from './context.ts';
import { confirmed } from './executed-charts.ts';
import { loadedRules } from './loaded-rules.ts';
import { withoutReplaced } from './replaced-findings.ts';
import { type Done, type Finding, type Fix, maximumFindings, type Rule, type RuleContext } from './rule.ts';
import {
  everyRule,
  type NamedRule,
  noSuppressions,
  readSuppressions,
  type SuppressionGroup,
  SuppressionIndex,
} from './suppressions.ts';
import { isVerified } from './verify-fix.ts';

export interface CheckOptions extends SeverityChoice {
  /**
   * Whether rules that depend on other files also run. This requires that the workspace is loaded and the user is not
   * typing.
   */
  readonly acrossFiles: boolean;
  /**
   * Returns the current date, with which the end dates of suppressions are compared. Without a date, no suppression has
   * expired.
   */
  today(): string | undefined;
}

export const ruleIds: () => readonly string[] = once(() => loadedRules().map((rule) => rule.id));
const rulesById: () => ReadonlyMap<string, Rule> = once(() => new Map(loadedRules().map((rule) => [rule.id, rule])));

/** Whether a rule depends on other files when it checks the current version of a file. */
export function isAcrossFiles(id: string, workspace: Workspace, uri: string): boolean {
  const rule = rulesById().get(id);
  return rule !== undefined && dependsOnOthers(rule, { workspace, uri }, isBuilt(workspace, uri));
}

function dependsOnOthers(rule: Rule, file: Pick<CheckInput, 'workspace' | 'uri'>, built: boolean): boolean {
  return rule.acrossFiles === true || (rule.asApplied === true && built) || rule.dependsOnOthers?.(file) === true;
}

/** Whether a kustomization includes the objects in a file and may change them. */
function isBuilt(workspace: Workspace, uri: string): boolean {
  return workspace.scopes().of(uri).some(isRendered);
}

/** Rules that check the results of other rules run last. */
const inTurn = once(() =>
  loadedRules().toSorted((a, b) => Number(a.afterOthers ?? false) - Number(b.afterOthers ?? false)),
);

/** The rules that run unless they are configured, and the rules that are off by default. */
const byDefault = once(() => inTurn().filter(({ severity }) => severity !== 'off'));
const offByDefault = once(() => inTurn().filter(({ severity }) => severity === 'off'));

/** Returns the enabled rules for a file. Without a configuration, most files have one list of them. */
function enabledRules(input: CheckInput, severities: SeverityChoice): readonly Rule[] {
  const isOn = (rule: Rule) => severityIn(rule, input, severities) !== 'off';
  return severities.isConfigured || offByDefault().some(isOn) ? inTurn().filter(isOn) : byDefault();
}

/** Returns the findings of all enabled rules, in the order of the file, with a step for each rule and applied version. If a rule throws an error, the error is logged and the rule reports nothing; the same applies to fixes that throw errors, and to files that cannot be evaluated. */
export function* check(input: CheckInput, options: CheckOptions, log: Log): Steps<readonly Finding[]> {
  try {
    return yield* checkFile(input, options, log);
  } catch (error) {
    log.bug(`check of ${input.uri}`, error);
    return [];
  }
}

export const configFaultRules: readonly string[] = ['syntax-error', 'invalid-configuration'];

/** Whether a finding reports an error in a configuration file. Such findings cannot be suppressed, neither by a comment nor by the configuration, because their effect on all other findings is unknown. */
export function isConfigFault(uri: string, { rule, severity }: Pick<Finding, 'rule' | 'severity'>): boolean {
  return severity === 'error' && fileNameOf(uri) === configName && configFaultRules.includes(rule);
}

/** Returns the configured severities, except for rules that report errors in configuration files. */
function choicesFor({ uri }: CheckInput, { severityOf }: CheckOptions): CheckOptions['severityOf'] {
  if (fileNameOf(uri) !== configName) return severityOf;
  return (rule) => (configFaultRules.includes(rule) ? undefined : severityOf(rule));
}

function* checkFile(input: CheckInput, options: CheckOptions, log: Log): Steps<readonly Finding[]> {
  if (input.workspace.scopes().isTriedOut(input.uri)) return [];
  const suppressions = concerns(input, 'us')
    ? readSuppressions(input.readText(), input.manifest, options.today() ?? '')
    : noSuppressions;
  const severities = { ...options, severityOf: choicesFor(input, options) };
  const on = enabledRules(input, severities);
  const able = options.acrossFiles ? on : withoutOthers(on, input, isBuilt(input.workspace, input.uri));
  const index = new SuppressionIndex(suppressions);
  const used = new Set<NamedRule>();
  const cut = new Map<string, Span>();
  // The rules that failed or could not run, so that their findings are unknown.
  const failed = new Set<string>();
  const done: Done = {
    ran: (id) => !failed.has(id) && able.some((rule) => rule.id === id),
    get everyRule() {
      return failed.size === 0 && able.length === on.length;
    },
    used,
    cut,
  };
  const comparisons = new Comparisons(maximumComparisons, true);
  const others: Others = { ruleIds: ruleIds(), suppressions, done, comparisons };
  const context = new Context(input, others);
  // The applied versions are computed lazily, because for many files no rule depends on them.
  const versions = once(() => (options.acrossFiles ? versionsOf(input, others) : []));
  const unrendered = once(() => unrenderedOf(input));
  const findings: Finding[] = [];
  const add = addingTo(findings, { input, severities, index, used, cut });
  const inExecution = confirmed(input, others);
  for (const rule of relevantTo(able, context)) {
    yield;
    // If the applied objects are unknown, the rule cannot run and has no findings.
    let found: readonly Finding[] | undefined;
    try {
      if (!dependsOnOthers(rule, input, true) || canRun(rule, unrendered()))
        found = yield* findingsOf(rule, context, versions, log);
    } catch (error) {
      log.bug(`rule ${rule.id} on ${input.uri}`, error);
    }
    if (found === undefined) failed.add(rule.id);
    else if (found.length > 0) add(dependsOnOthers(rule, input, true) ? inExecution(rule, found) : found, rule);
  }
  return united(withoutConsequences(findings)).toSorted((a, b) => a.span.start - b.span.start);
}

interface Reporting {
  readonly input: CheckInput;
  readonly severities: SeverityChoice;
  readonly index: SuppressionIndex;
  /** The suppressions that were used; more are added. */
  readonly used: Set<NamedRule>;
  /** The first finding of each rule that is left out because there are too many; more are added. */
  readonly cut: Map<string, Span>;
}

/** Returns a function that adds the findings of a rule that are not suppressed to a list. */
function addingTo(findings: Finding[], { input, severities, index, used, cut }: Reporting) {
  const usedGroups = new Set<SuppressionGroup>();
  return (found: readonly Finding[], rule: Rule): void => {
    let count = 0;
    for (const finding of found) {
      const groups = isConfigFault(input.uri, finding) ? [] : index.of(rule.id, finding.span);
      const counting = groups.filter(({ name }) => name !== everyRule || !rule.afterOthers);
      for (const group of counting) {
        if (usedGroups.has(group)) continue;
        usedGroups.add(group);
        for (const each of group.rules) used.add(each);
      }
      const shown = counting.length > 0 ? undefined : reported(finding, rule, input, severities);
      if (shown === undefined) continue;
      if (count++ < maximumFindings) findings.push(shown);
      else if (!cut.has(rule.id)) cut.set(rule.id, finding.span);
    }
  };
}

/** Removes findings that are only consequences of a syntax error. A key without a colon, for example, is not an invalid key with a space in it. */
function withoutConsequences(findings: readonly Finding[]): readonly Finding[] {
  const broken = findings.filter(({ common }) => common === 'syntax');
  if (broken.length === 0) return findings;
  return findings.filter(
    (finding) => broken.includes(finding) || broken.every(({ span }) => !touches(finding.span, span)),
  );
}

/** Reports an edited selector that no longer matches anything once, unless the loss is configured to be as severe: what the selector matched before the edit is a related location. */
function united(findings: readonly Finding[]): readonly Finding[] {
  const isSevere = ({ severity }: Finding) => severity === 'error' || severity === 'warning';
  const lost = findings.filter((each) => each.rule === 'match-lost' && !isSevere(each));
  if (lost.length === 0) return findings;
  const hosts = new Map<Finding, Finding>();
  for (const each of lost) {
    const host = findings.find(
      (other) => other.rule === 'selects-nothing' && isSevere(other) && touches(other.span, each.span),
    );
    if (host !== undefined) hosts.set(host, each);
  }
  const repeated = new Set(hosts.values());
  return findings
    .filter((each) => !repeated.has(each))
    .map((each) => ({ ...each, related: [...each.related, ...(hosts.get(each)?.related ?? [])] }));
}

function touches(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function withoutOthers(rules: readonly Rule[], input: CheckInput, built: boolean): readonly Rule[] {
  return rules.filter((rule) => !dependsOnOthers(rule, input, built));
}

/** Returns the finding with its allowed fixes; the fixes of values files are not safe. Removes the fixes that would edit generated files, or change anything else than the keys and values at which they edit the text; removes all of its fixes if computing them fails. */
function sparing(finding: Finding, context: RuleContext, log: Log): Finding {
  const { workspace, uri } = context;
  const isSpared = ({ elsewhere }: Fix) =>
    [...(elsewhere?.keys() ?? [])].every((other) => !workspace.scopes().isGenerated(other));
  const verified = () => finding.fixes().filter((fix) => isSpared(fix) && isVerified(fix, finding, context));
  // Templates may test a value: the string "false" is true.
  const fixes = () => (isValuesFile(uri) ? verified().map((fix) => ({ ...fix, safe: false })) : verified());
  return {
    ...finding,
    fixes: once(() => contain<readonly Fix[]>(log, `fixes of ${finding.rule} in ${uri}`, fixes, () => [])),
  };
}

/** Returns the reason why the effect of kustomizations on a file is unknown; undefined if it is known. */
function unrenderedOf({ workspace, catalogue, uri }: CheckInput): Unrendered | undefined {
  if (isSharedTooMuch(workspace, uri)) return 'sharing';
  const scopes = workspace.scopes();
  for (const scope of [...scopes.ofFile(uri), ...scopes.building(uri)]) {
    const reason = isRendered(scope) ? workspace.unrendered(scope.path, catalogue) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Lists of rules by the parts of a file, which few combinations of parts occur in. */
const relevantRules = new WeakMap<readonly Rule[], Map<number, readonly Rule[]>>();

/** Returns the rules that may report something in a file with the parts that it contains. A kustomization may add what a rule needs. */
function relevantTo(rules: readonly Rule[], context: Context): readonly Rule[] {
  const byParts = getOrAdd(relevantRules, rules, () => new Map<number, readonly Rule[]>());
  return getOrAdd(byParts, context.parts(), () =>
    rules.filter(({ needs, asApplied }) => needs === undefined || asApplied === true || context.has(needs)),
  );
}

function canRun({ needsNoRendering }: Rule, unrendered: ReturnType<typeof unrenderedOf>): boolean {
  return unrendered === undefined || (needsNoRendering === true && unrendered !== 'failure');
}

function* findingsOf(
  rule: Rule,
  context: Context,
  versions: () => readonly Version[],
  log: Log,
): Steps<readonly Finding[]> {
  const isApplied = rule.asApplied && versions().length > 0;
  const findings = isApplied
    ? yield* findAsApplied(context, versions(), rule.find)
    : findAsWritten(rule, context, versions);
  return findings.length === 0 ? findings : complete(findings, rule, context, log);
}

function findAsWritten(rule: Rule, context: Context, versions: () => readonly Version[]): readonly Finding[] {
  const findings = rule.find(context);
  const isAboutText = rule.acrossFiles !== true && rule.afterOthers !== true;
  return findings.length === 0 || !isAboutText ? findings : withoutReplaced(context, versions(), findings);
}

/** Adds to findings whether they depend only on the file itself. A separate function, because closures make each call of a function allocate memory. */
function complete(findings: readonly Finding[], rule: Rule, context: Context, log: Log): readonly Finding[] {
  const isLocal = localIn(rule, context);
  return findings.map((finding) => ({
    ...sparing(finding, context, log),
    ...(rule.acrossScopes && { acrossScopes: true }),
    isLocal: () =>
      contain(
        log,
        `rule ${rule.id} on ${context.uri}`,
        () => isLocal(finding),
        () => false,
      ),
  }));
}

/** Returns a function that determines whether a finding depends only on the file itself: the rule reports it even before any kustomization applies the file. */
function localIn(rule: Rule, context: Context) {
  const asWritten = once(() => new Set(rule.find(context).map(({ span }) => span.start)));
  return ({ scopes, span }: Finding): boolean =>
    rule.acrossFiles !== true && (scopes === undefined || asWritten().has(span.start));
}

/** Returns the versions of a file that result from each kustomization that applies it. */
function versionsOf(input: CheckInput, others: Others): readonly Version[] {
  return appliedVersions(input.workspace, input.catalogue, input.uri).map((applied) => {
    const { workspace, file } = applied;
    return { ...applied, context: new Context(input, others, { workspace, file, manifest: file.manifest }) };
  });
}
