/**
 * Keeps the last reports of an indexed workspace in memory. After an edit, the findings in files that the edit does not
 * affect are reused.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import type { FileChange, Workspace } from '../../workspace/model.ts';
import type { Indexed } from '../indexed-workspace.ts';
import type { KnownChecks, Report } from './model.ts';
import { checksOutside } from './report-cache.ts';

interface Last {
  readonly snapshot: Workspace;
  /** The value of `rewritten.version` for the snapshot. */
  readonly rewritten: number;
  readonly skipped: readonly Skipped[];
  readonly report: Report;
}

const reports = new WeakMap<LiveWorkspace, Map<string, Last>>();

/** The maximum number of reports to keep for a workspace, one for each combination of paths and options. */
const mostReports = 16;

/** Returns the reusable results of the last report for `key`, which contains the paths and the options: the report itself if nothing has changed since, or the results of the files that do not need a new check. */
export function lastReport(
  { session, selection, commandFiles, skipped }: Indexed,
  key: string,
): { readonly report?: Report; readonly checks?: KnownChecks } | undefined {
  const last = reports.get(session.workspace)?.get(key);
  if (last === undefined || !isSame(last.skipped, skipped)) return undefined;
  // Commands are not in the snapshot, so files with commands are always checked again.
  const changes = changesSince(last, session.workspace);
  if (changes?.length === 0 && session.snapshot() === last.snapshot && commandFiles.length === 0)
    return { report: last.report };
  if (changes === undefined || (changes.length > 0 && !selection.isWhole)) return undefined;
  const changed = changes.map(({ after }) => after.uri);
  const checks = checksOutside(session.workspace, last.report, changes, changed);
  return checks === undefined ? undefined : { checks };
}

/** Keeps a report; `key` contains the paths and the options. */
export function keepReport({ session, skipped }: Indexed, key: string, report: Report): void {
  const known = getOrAdd(reports, session.workspace, () => new Map<string, Last>());
  known.delete(key);
  const { rewritten } = session.workspace;
  known.set(key, { snapshot: session.snapshot(), rewritten: rewritten.version, skipped, report });
  const [oldest] = known.keys();
  if (known.size > mostReports && oldest !== undefined) known.delete(oldest);
}

/** Returns the files that changed since a snapshot, including files whose facts stayed equal; undefined if files were added or removed, because any finding may then change. */
export function changesSince(
  { snapshot, rewritten }: Pick<Last, 'snapshot' | 'rewritten'>,
  workspace: LiveWorkspace,
): readonly FileChange[] | undefined {
  const [before, after] = [snapshot, workspace.snapshot()];
  const texts = workspace.rewritten.since(rewritten);
  if (texts === undefined || before.files.size !== after.files.size || before.folders !== after.folders)
    return undefined;
  const changes = new Map<string, FileChange>();
  for (const uri of [...(after.files.keysChangedSince(before.files) ?? after.files.keys()), ...texts]) {
    const [earlier, file] = [before.files.get(uri), after.files.get(uri)];
    if (earlier === undefined || file === undefined) return undefined;
    if (earlier !== file || texts.includes(uri)) changes.set(uri, { before: earlier, after: file });
  }
  return [...changes.values()];
}

function isSame(before: readonly Skipped[], after: readonly Skipped[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
