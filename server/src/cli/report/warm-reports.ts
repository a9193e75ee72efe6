/**
 * Keeps the last reports of an indexed workspace in memory. After an edit, the findings in files that the edit does not
 * affect are reused.
 */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { isWorthChecking } from '../../features/diagnostics/all-problems.ts';
import { absentFile } from '../../workspace/absent-file.ts';
import { AskedQuestions } from '../../workspace/asked-questions.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import type { FileChange, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Question } from '../../workspace/questions.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import type { ConfigFaults } from './configuration-faults.ts';
import { Mentions } from './mentions.ts';
import type { CheckedReport, KnownCheck, KnownChecks, Report } from './model.ts';
import { type CheckedFile, makeReport, updateReport } from './report.ts';
import { checksIn, filesToCheckAgain } from './report-cache.ts';

interface Last {
  readonly snapshot: Workspace;
  /** The value of `rewritten.version` for the snapshot. */
  readonly rewritten: number;
  readonly skipped: readonly Skipped[];
  readonly faults: ConfigFaults;
  /** The files that were checked for their commands, which the snapshot does not contain. */
  readonly commandFiles: readonly string[];
  readonly report: Report;
  /** Created only if a file changes. Updated in place for the next report. */
  readonly requested: () => AskedQuestions;
  /** The mentions in the report; created and updated like the questions. */
  readonly mentions: () => Mentions;
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
  const [requested, mentions] = [last.requested(), last.mentions()];
  const known = { mentions, requested, structure: last.snapshot };
  const concerned = filesToCheckAgain(session.workspace, known, changes, changed);
  if (concerned === undefined) return undefined;
  const stale = new Set([...concerned, ...commandFiles, ...last.commandFiles]);
  const hasSameFiles = isSameStructure && areSameCommands && changes.every(keepsCounts);
  const update = hasSameFiles ? updateReport : makeAgain;
  const updated = await update(world, indexed, check, { report: last.report, stale });
  for (const each of [requested, mentions]) for (const uri of stale) each.delete(uri);
  for (const [uri, questions] of updated.requested) requested.add(uri, questions);
  mentions.add(updated.found);
  keep(indexed, key, updated.report, { requested: () => requested, mentions: () => mentions });
  return updated.report;
}

/** The questions of the checks of a report, and the mentions in it. Both are updated with the report. */
export interface ReportIndexes {
  readonly requested: AskedQuestions;
  readonly mentions: Mentions;
}

/** Returns the indexes of the last report for `key`; undefined if there is none. */
export function indexesOf({ session }: Indexed, key: string): ReportIndexes | undefined {
  const last = reports.get(session.workspace)?.get(key);
  return last && { requested: last.requested(), mentions: last.mentions() };
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
  const again = (await makeReport(world, indexed, check, checksIn(report, stale), keep)).report;
  const found = again.diagnostics.filter(({ uri }) => stale.has(uri));
  return { report: again, found, requested: [...requested] };
}

/** Whether a change keeps the counts of files and objects in a report. */
function keepsCounts({ before, after }: FileChange): boolean {
  return before.objects === after.objects && isWorthChecking(before) === isWorthChecking(after);
}

/** The results of interrupted checks of a state of the files. */
interface Unfinished extends Pick<Last, 'snapshot' | 'rewritten'> {
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
  const [snapshot, rewritten] = [workspace.snapshot(), workspace.rewritten.version];
  const last = unfinished.get(workspace);
  const isSameState = last?.snapshot === snapshot && last.rewritten === rewritten;
  const { results } = isSameState ? last : { results: new Map<string, Map<string, KnownCheck>>() };
  unfinished.set(workspace, { snapshot, rewritten, results });
  const around = JSON.stringify([key, indexed.skipped, indexed.faults]);
  const own = getOrAdd(results, around, () => new Map<string, KnownCheck>());
  const knownOf: KnownChecks = (uri) => own.get(uri) ?? known?.(uri);
  const checked = await makeReport(world, indexed, check, knownOf, (uri, result) => own.set(uri, result));
  results.delete(around);
  keepReport(indexed, key, checked);
  return checked;
}

/** Keeps a report; `key` contains the paths and the options. */
export function keepReport(indexed: Indexed, key: string, { report, requested }: CheckedReport): void {
  keep(indexed, key, report, {
    requested: once(() => new AskedQuestions(requested)),
    mentions: once(() => new Mentions(report.diagnostics)),
  });
}

function keep(
  { session, skipped, faults, commandFiles }: Indexed,
  key: string,
  report: Report,
  indexes: Pick<Last, 'requested' | 'mentions'>,
): void {
  const known = getOrAdd(reports, session.workspace, () => new Map<string, Last>());
  known.delete(key);
  const state = { snapshot: session.snapshot(), rewritten: session.workspace.rewritten.version };
  known.set(key, { ...state, skipped, faults, commandFiles: commandFiles.map(({ uri }) => uri), report, ...indexes });
  const [oldest] = known.keys();
  if (known.size > mostReports && oldest !== undefined) known.delete(oldest);
}

/** Returns the files that changed, were added or were deleted since a snapshot, including files whose facts stayed equal; undefined if any file may have changed. */
export function changesSince(
  { snapshot, rewritten }: Pick<Last, 'snapshot' | 'rewritten'>,
  workspace: LiveWorkspace,
): readonly FileChange[] | undefined {
  const [before, after] = [snapshot, workspace.snapshot()];
  const texts = workspace.rewritten.since(rewritten);
  if (texts === undefined || before.folders !== after.folders) return undefined;
  const changes = new Map<string, FileChange>();
  const changed = after.files.keysChangedSince(before.files) ?? [...before.files.keys(), ...after.files.keys()];
  for (const uri of [...changed, ...texts]) {
    const [earlier, file] = [before.files.get(uri), after.files.get(uri)];
    if (earlier === undefined && file === undefined) continue;
    if (earlier !== file || texts.includes(uri))
      changes.set(uri, { before: earlier ?? absentFile(uri), after: file ?? absentFile(uri) });
  }
  return [...changes.values()];
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
