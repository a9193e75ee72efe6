/**
 * Keeps the last reports of an indexed workspace in memory. After an edit, the findings in files that the edit does not
 * affect are reused.
 */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { isWorthChecking } from '../../features/diagnostics/all-problems.ts';
import { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import { affectedFiles, visibleIn } from '../../workspace/dependencies/dependencies.ts';
import type { Question } from '../../workspace/dependencies/questions.ts';
import { changesSince, type LiveState, stateOf } from '../../workspace/live/changes-since.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import type { FileChange, WorkspaceFile } from '../../workspace/model.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import type { ConfigFaults } from './configuration-faults.ts';
import type { CheckedReport, KnownCheck, KnownChecks, Report } from './model.ts';
import { type CheckedFile, makeReport, updateReport } from './report.ts';
import { checksIn } from './report-cache.ts';

interface Last extends LiveState {
  readonly skipped: readonly Skipped[];
  readonly faults: ConfigFaults;
  /** The files that were checked for their commands, which the snapshot does not contain. */
  readonly commandFiles: readonly string[];
  readonly report: Report;
  /** Created only if a file changes. Updated in place for the next report. */
  readonly asked: () => AskedQuestions;
}

const reports = new WeakMap<LiveWorkspace, Map<string, Last>>();

/** The maximum number of reports to keep for a workspace, one for each combination of paths and options. */
const mostReports = 16;

/** Returns the last report for `key`, which contains the paths and the options, after the files for which a change may matter were checked again; undefined if this may concern every file, or if there is no report for `key`. */
export async function lastReport(
  world: World,
  indexed: Indexed,
  key: string,
  check: (file: WorkspaceFile) => CheckedFile,
): Promise<Report | undefined> {
  const { session, selection, skipped, faults } = indexed;
  const last = reports.get(session.workspace)?.get(key);
  if (last === undefined || !isSame([last.skipped, last.faults], [skipped, faults])) return undefined;
  const changes = changesSince(last, session.workspace);
  const commandFiles = indexed.commandFiles.map(({ uri }) => uri);
  const isSameState = changes?.length === 0 && session.snapshot() === last.snapshot;
  if (isSameState && commandFiles.length === 0 && last.commandFiles.length === 0) return last.report;
  const areSameCommands = isSame(last.commandFiles, commandFiles);
  if (changes === undefined || faults.unread.length > 0) return undefined;
  if (!selection.isWhole && !(changes.length === 0 && areSameCommands)) return undefined;
  const isSameStructure = session.snapshot().scopes().structure() === last.snapshot.scopes().structure();
  const changed = changes.map(({ after }) => after.uri);
  const asked = last.asked();
  const affected = affectedFiles(asked, session.workspace, last.snapshot, visibleIn(changes), changed);
  if (affected === undefined) return undefined;
  const stale = new Set([...affected, ...commandFiles, ...last.commandFiles]);
  const hasSameFiles = isSameStructure && areSameCommands && changes.every(keepsCounts);
  const update = hasSameFiles ? updateReport : makeAgain;
  const updated = await update(world, indexed, check, { report: last.report, stale });
  for (const uri of stale) asked.delete(uri);
  for (const [uri, questions] of updated.requested) asked.add(uri, questions);
  keep(indexed, key, updated.report, () => asked);
  return updated.report;
}

/** Returns the questions of the checks of the last report for `key`, which are updated with it; undefined if there is none. */
export function questionsOfLast({ session }: Indexed, key: string): AskedQuestions | undefined {
  return reports.get(session.workspace)?.get(key)?.asked();
}

/** Makes a report of all files, of which only some are checked again, and returns it with the questions of the checked files. */
async function makeAgain(
  world: World,
  indexed: Indexed,
  check: (file: WorkspaceFile) => CheckedFile,
  { report, stale }: { readonly report: Report; readonly stale: ReadonlySet<string> },
): ReturnType<typeof updateReport> {
  const requested = new Map<string, readonly Question[]>();
  const keep = (uri: string, { questions }: KnownCheck) => requested.set(uri, questions);
  const again = (await makeReport(world, indexed, check, { known: checksIn(report, stale), keep })).report;
  return { report: again, requested: [...requested] };
}

function keepsCounts({ before, after }: FileChange): boolean {
  return before.objects === after.objects && isWorthChecking(before) === isWorthChecking(after);
}

/** The results of interrupted checks of a state of the files. */
interface Unfinished extends LiveState {
  /** The results by file, for each combination of paths and options, skipped files, and faults of configurations. */
  readonly results: Map<string, Map<string, KnownCheck>>;
}

const unfinished = new WeakMap<LiveWorkspace, Unfinished>();

/** Makes and keeps a report; `key` contains the paths and the options. If the last report for `key` was interrupted and no file has changed, it is continued. */
export async function finishReport(
  world: World,
  indexed: Indexed,
  key: string,
  check: (file: WorkspaceFile) => CheckedFile,
  known?: KnownChecks,
): Promise<CheckedReport> {
  const { workspace } = indexed.session;
  const state = stateOf(workspace);
  const last = unfinished.get(workspace);
  const isSameState = last?.snapshot === state.snapshot && last.rewritten === state.rewritten;
  const { results } = isSameState ? last : { results: new Map<string, Map<string, KnownCheck>>() };
  unfinished.set(workspace, { ...state, results });
  const around = JSON.stringify([key, indexed.skipped, indexed.faults]);
  const own = getOrAdd(results, around, () => new Map<string, KnownCheck>());
  const knownOf: KnownChecks = (uri) => own.get(uri) ?? known?.(uri);
  const reuse = { known: knownOf, keep: (uri: string, result: KnownCheck) => own.set(uri, result) };
  const checked = await makeReport(world, indexed, check, reuse);
  results.delete(around);
  keepReport(indexed, key, checked);
  return checked;
}

/** Keeps a report; `key` contains the paths and the options. */
export function keepReport(indexed: Indexed, key: string, checked: CheckedReport): void {
  const asked = once(() => new AskedQuestions(checked.requested));
  keep(indexed, key, checked.report, asked);
}

function keep(
  { session, skipped, faults, commandFiles }: Indexed,
  key: string,
  report: Report,
  asked: Last['asked'],
): void {
  const known = getOrAdd(reports, session.workspace, () => new Map<string, Last>());
  known.delete(key);
  const uris = commandFiles.map(({ uri }) => uri);
  known.set(key, { ...stateOf(session.workspace), skipped, faults, commandFiles: uris, report, asked });
  const [oldest] = known.keys();
  if (known.size > mostReports && oldest !== undefined) known.delete(oldest);
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
