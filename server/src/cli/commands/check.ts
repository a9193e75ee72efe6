/** `selector-lens check`: reports problems with labels and selectors. */

import { once } from '../../engine/memoize.ts';
import { configFaultRules, isConfigFault } from '../../rules/framework/check.ts';
import type { Severity } from '../../rules/framework/rule.ts';
import { defaultSettings } from '../../settings/settings.ts';
import type { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import type { Workspace } from '../../workspace/model.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { checkFormats } from '../formats/all.ts';
import { reportJson } from '../formats/json.ts';
import { type Indexed, indexAsked, serviceOf, writeNotes } from '../indexed-workspace.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { checkExamples, checkOptions, formatNames } from '../options/check-options.ts';
import { withConfig } from '../options/config-option.ts';
import { type ChosenRules, chosenRules } from '../options/rule-options.ts';
import { paths } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { readerOf, worldAt, writtenSideOf } from '../paths/committed-world.ts';
import { displayPath } from '../paths/display-path.ts';
import { type RequestedPaths, requestedPaths } from '../paths/requested-paths.ts';
import { type Baseline, readBaseline, staleEntries, writeBaseline } from '../report/baseline.ts';
import {
  applyFixes,
  type FixChoice,
  notesOnRemaining,
  reportDiffs,
  reportFixed,
  withFixed,
  writeFixed,
} from '../report/fix.ts';
import type { Report } from '../report/model.ts';
import { atLeast, isAtLeast, makeReport, severities, withDiagnostics } from '../report/report.ts';
import { knownReport } from '../report/report-cache.ts';
import { settingsOfFile } from '../report/settings-of-file.ts';
import { countByRule } from '../report/statistics.ts';
import { finishReport, keepReport, lastReport, questionsOfLast } from '../report/warm-reports.ts';
import type { Arguments, Command } from './command.ts';

export const check: Command = {
  name: 'check',
  summary: 'Reports problems with labels and selectors.',
  details: [
    'The whole root is indexed. For each path, the command reports the findings in its files, in every kustomization, chart or other scope that it contains, and in other files of these scopes if the files of the path can cause them.',
    '`--base` reads a commit from the git repository without running git. The files of the commit are treated as the objects in the cluster, so specify the commit that was deployed last.',
    'Selectors in commands, such as `kubectl get -l`, are checked in all manifests, CI workflows, scripts, Makefiles, Dockerfiles and Markdown files in the paths.',
    '`--fix` changes the manifests, scripts and pages in the paths: it applies the fixes that cannot change what any selector matches, and reports the remaining findings. `selector-lens rule NAME` explains why a finding matters.',
  ],
  operand: paths,
  options: checkOptions,
  examples: checkExamples,
  tool: {
    use: 'Call it after each edit, with the edited files as paths: findings that the edit causes in other files are included.',
    options: ['severity', 'rule', 'exclude-rule', 'level', 'scope'],
    lists: ['diagnostics'],
    details: ['fingerprint', 'url', 'object', 'skipped'],
  },
  run: runCheck,
};

/** Shows the findings at or above `--severity`; returns 1 if one of them is at or above `--fail-on`, otherwise 0. */
async function runCheck(outer: World, given: Arguments): Promise<number> {
  const name = choice(given, 'format', formatNames);
  const format = checkFormats.find((each) => each.name === name) ?? checkFormats[0];
  const hasStatistics = given.flags.has('statistics');
  if (hasStatistics && !['text', 'json'].includes(name))
    throw new UsageError("The option '--statistics' requires '--format text' or '--format json'.");
  refuseSingle(given, 'dry-run', 'fix');
  refuseSingle(given, 'unsafe-fixes', 'fix');
  refuseSingle(given, 'update-baseline', 'baseline');
  const baselinePath = given.values.get('baseline');
  const isUpdate = given.flags.has('update-baseline');
  const baseline = baselinePath === undefined ? undefined : await readBaseline(outer, baselinePath, isUpdate);
  if (given.flags.has('fix') && !given.flags.has('dry-run') && given.paths.includes('-'))
    throw new UsageError("Standard input cannot be changed: with '-', '--fix' requires '--dry-run'.");
  const requested = await requestedPaths(outer, given);
  const { world, isConfiguration, atItsPlace } = await withConfig(outer, given, requested);
  if (given.flags.has('show-settings')) return await showSettings(world, given, requested);
  const limits = limitsOf(given, isConfiguration);
  if (given.flags.has('dry-run'))
    return showFixes(world, await indexWithBase(world, given, requested), { baseline, limits, given });
  const { found, fixed, remaining } = given.flags.has('fix')
    ? await fixAndReport(world, await indexWithBase(world, given, requested), limits.fixes)
    : { found: await reportOf(world, given, requested), fixed: [], remaining: () => [] };
  if (isUpdate && baseline !== undefined) {
    await writeBaseline(world, baseline, found);
    const faults = found.diagnostics.filter((each) => isConfigFault(each.uri, each));
    writeNotes(
      world,
      faults.map(({ file, range: { start }, message }) => `${file}:${start.line}:${start.column}: ${message}`),
    );
    return faults.length > 0 ? 1 : 0;
  }
  const shown = newIn(limited(found, limits), baseline);
  const diagnostics = shown.diagnostics.map(atItsPlace);
  const stale = baseline === undefined || limits.isLevelled ? undefined : await staleEntries(world, baseline, found);
  const report = {
    ...shown,
    diagnostics,
    ...(stale !== undefined && { stale }),
    ...(hasStatistics && { statistics: countByRule(diagnostics) }),
    isQuiet: given.flags.has('quiet'),
  };
  const repository = await repositoryAround(world, requested);
  if (name === 'json') writeJson(world, reportJson(world, report), { diagnostics: report.diagnostics.length });
  else for (const line of format.write(world, report, repository)) world.out(line);
  if (!report.isQuiet) {
    reportFixed(world, fixed);
    writeNotes(world, [...remaining(shown), ...report.notes]);
  }
  return codeOf(report, limits, given);
}

/** Shows the configuration of the only given file. */
async function showSettings(world: World, given: Arguments, requested: RequestedPaths | '-'): Promise<number> {
  const [path, ...others] = given.paths;
  const file = path === undefined || others.length > 0 ? undefined : await world.locate(path);
  if (file?.kind !== 'file') throw new UsageError("The option '--show-settings' requires the path of one file.");
  const { session } = await indexAsked(world, given, requested);
  for (const line of settingsOfFile(world, session, file.uri, given.values.get('level'))) world.out(line);
  return 0;
}

/** The limits that the command line sets for a report. */
interface Limits {
  /** The minimum severity of shown findings; less severe findings are neither shown nor counted. */
  readonly shown: Severity;
  readonly failing: Severity;
  readonly rules: ChosenRules;
  readonly fixes: FixChoice;
  /** Whether `--level` is given. It changes which findings exist, so it is unknown which baseline entries are stale. */
  readonly isLevelled: boolean;
}

/** Returns the limits that the options set. With only `--severity`, each shown finding makes the command fail; without options, all findings are shown, and only errors make it fail. */
function limitsOf(given: Arguments, isConfiguration: (uri: string) => boolean): Limits {
  const level = (name: string) => severities.find((each) => each === given.values.get(name));
  const shown = level('severity');
  const rules = chosenRules(given);
  return {
    shown: shown ?? 'hint',
    failing: level('fail-on') ?? shown ?? 'error',
    rules,
    fixes: {
      unsafe: given.flags.has('unsafe-fixes'),
      isReported: (finding) => rules.isReported(finding) && !isConfiguration(finding.uri),
    },
    isLevelled: given.values.has('level'),
  };
}

/** Returns the report with only the findings of the chosen rules that are severe enough. */
function limited(found: Report, { shown, rules }: Limits): Report {
  if (rules.isEvery && shown === severities[0]) return found;
  return atLeast({ ...found, diagnostics: found.diagnostics.filter(rules.isReported) }, shown);
}

/** Returns the folder that paths for other tools are relative to: the git repository around the current folder, otherwise the repository around the root, otherwise the current folder. */
async function repositoryAround(world: World, requested: RequestedPaths | '-'): Promise<string> {
  const around = await world.repositoryOf(world.currentFolder);
  return (
    around ??
    (requested === '-' ? undefined : await world.repositoryOf(requested.folders[0] ?? world.currentFolder)) ??
    world.currentFolder
  );
}

/** Returns the cached report of an earlier run if nothing has changed since. Otherwise checks the files again, but reuses the findings in files that the changes do not affect. */
async function reportOf(world: World, given: Arguments, requested: RequestedPaths | '-'): Promise<Report> {
  const isKept =
    requested !== '-' &&
    !given.flags.has('no-cache') &&
    !given.values.has('base') &&
    !given.lists.has('values') &&
    !given.values.has('release');
  const isLoaded = requested !== '-' && world.warm?.isLoaded(requested.folders) === true;
  const known =
    isKept && !isLoaded ? await knownReport(world, requested, defaultSettings, keptOptions(given)) : undefined;
  if (known?.report !== undefined) return known.report.report;
  const indexed = await indexWithBase(world, given, requested);
  const { workspace } = indexed.session;
  const isWarm = isKept && world.warm !== undefined;
  const key = isWarm ? keyOf(world, given, requested) : undefined;
  const last = key === undefined ? undefined : await lastReport(world, indexed, key, checkerOf(indexed));
  if (last !== undefined) return last;
  // The first answer of a server may have come from the cache, before the workspace was indexed.
  const earlier =
    key !== undefined && isLoaded
      ? (await knownReport(world, requested, defaultSettings, keptOptions(given)))?.report
      : undefined;
  if (key !== undefined && earlier !== undefined) keepReport(indexed, key, earlier);
  if (earlier !== undefined) return earlier.report;
  const checks = known?.checks(workspace, indexed.selection.isWhole);
  const checked =
    key === undefined
      ? await makeReport(world, indexed, checkerOf(indexed), known && { known: checks })
      : await finishReport(world, indexed, key, checkerOf(indexed), checks);
  await known?.keep(checked, workspace.generatedFrom());
  return checked.report;
}

function keyOf(world: World, given: Arguments, requested: RequestedPaths): string {
  return JSON.stringify([requested, keptOptions(given), world.clock?.today()]);
}

/** The last report of a server for all files, and on what its checks depended. */
export interface LastCheck {
  readonly snapshot: Workspace;
  readonly report: Report;
  readonly asked: AskedQuestions;
}

/** Returns the last report of a server for some paths, after files that changes concern were checked again; undefined if there is none, or if the paths do not contain all files. */
export async function lastCheck(
  world: World,
  given: Arguments,
  requested: RequestedPaths,
): Promise<LastCheck | undefined> {
  if (world.warm === undefined) return undefined;
  const indexed = await indexAsked(world, given, requested);
  const key = keyOf(world, given, requested);
  const report = await lastReport(world, indexed, key, checkerOf(indexed));
  const asked = questionsOfLast(indexed, key);
  const isKnown = report !== undefined && asked !== undefined && indexed.selection.isWhole;
  return isKnown ? { snapshot: indexed.session.snapshot(), report, asked } : undefined;
}

/** Returns the options on which the findings of a run depend, in addition to the paths. */
function keptOptions({ values, lists }: Arguments): readonly string[] {
  const ofLists = ['exclude', 'rule'].flatMap((name) => (lists.get(name) ?? []).map((each) => `${name} ${each}`));
  return [...['namespace', 'level', 'config'].map((name) => values.get(name) ?? ''), ...ofLists];
}

/** Indexes the requested paths, to be compared with the commit that `--base` names. Throws a UsageError for unreadable paths. */
async function indexWithBase(world: World, given: Arguments, requested: RequestedPaths | '-'): Promise<Indexed> {
  const name = given.values.get('base');
  if (name === undefined) return await indexAsked(world, given, requested);
  if (requested === '-') throw new UsageError("Standard input is in no commit: '--base' does not apply to it.");
  const before = await worldAt(world, requested.folders[0] ?? world.currentFolder, name, true);
  if (requested.folders.some((folder) => !isWithin(folder, before.repository)))
    throw new UsageError("'--base' requires that all paths are in one git repository.");
  const indexed = await indexAsked(world, given, requested);
  const session = await serviceOf(before.world, given, requested.folders, requested);
  const side = writtenSideOf(session, before.world);
  const base = { name, side, textNow: readerOf(session, world) };
  indexed.session.choose({ base });
  const isSkippedNow = new Set(indexed.session.workspace.skipped().map(({ uri }) => uri));
  const skipped = session.workspace
    .skipped()
    .filter(({ uri }) => !isSkippedNow.has(uri) && indexed.selection.isNamed(uri));
  const notCompared = skipped.map(
    ({ uri, reason }) => `${displayPath(world, uri)} was not compared with ${name}: ${reason}.`,
  );
  writeNotes(world, [...before.notes, ...notCompared]);
  return indexed;
}

function newIn(found: Report, baseline: Baseline | undefined): Report {
  return baseline === undefined ? found : withDiagnostics(found, found.diagnostics.filter(baseline.isNew));
}

async function fixAndReport(world: World, indexed: Indexed, choice: FixChoice) {
  const fixed = await applyFixes(indexed, choice);
  await writeFixed(world, fixed);
  const now = withFixed(indexed, fixed);
  const { report } = await makeReport(world, now, checkerOf(now));
  return { found: report, fixed, remaining: (shown: Report) => notesOnRemaining(indexed, shown, choice) };
}

function refuseSingle(given: Arguments, flag: string, needs: string): void {
  if (given.flags.has(flag) && !given.flags.has(needs) && !given.values.has(needs))
    throw new UsageError(`The option '--${flag}' requires '--${needs}'.`);
}

/** Returns a function that checks one file and returns its text and its selected findings. */
export function checkerOf({ session, readText, selection, faults }: Indexed) {
  return (file: Parameters<typeof readText>[0]) => {
    const readOnce = once(() => readText(file));
    const isBroken = faults.broken.includes(file.uri);
    const findings = session
      .check(file, readOnce)
      .filter((each) => selection.selectsFinding(file.uri, each) || (isBroken && configFaultRules.includes(each.rule)));
    return { file, readText: readOnce, findings };
  };
}

async function showFixes(
  world: World,
  indexed: Indexed,
  { baseline, limits, given }: { baseline: Baseline | undefined; limits: Limits; given: Arguments },
): Promise<number> {
  const { report } = await makeReport(world, indexed, checkerOf(indexed));
  const fixed = await applyFixes(indexed, limits.fixes);
  const now = withFixed(indexed, fixed);
  const after = fixed.length === 0 ? report : (await makeReport(world, now, checkerOf(now))).report;
  const shown = (each: Report) => newIn(limited(each, limits), baseline);
  await reportDiffs(world, fixed, limits.fixes);
  writeNotes(world, [...notesOnRemaining(indexed, shown(after), limits.fixes), ...report.notes]);
  return codeOf(shown(report), limits, given);
}

/** Returns the exit code: 2 if the paths contain nothing to check, because that must not look like a check without findings. */
function codeOf({ diagnostics, barren }: Report, { failing }: Limits, given: Arguments): number {
  if (barren) return given.flags.has('allow-empty') ? 0 : 2;
  if (given.flags.has('exit-zero')) return 0;
  return diagnostics.some((each) => isAtLeast(each, failing)) ? 1 : 0;
}
