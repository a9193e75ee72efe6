/** Identifies the kinds whose pods run to completion. */

import type { GroupKind } from '../../engine/catalogue/types.ts';

const ending: ReadonlySet<string> = new Set(['batch/Job', 'batch/CronJob']);

/** Whether the pods of a workload run to completion. Such pods serve no requests. */
export function runsToCompletion({ group, kind }: GroupKind): boolean {
  return ending.has(`${group}/${kind}`);
}

const named: ReadonlySet<string> = new Set([...ending, '/Pod']);

/** Whether tools often add the name of an object of a kind, because they create a new object for each run. */
export function isNamedByTools({ group, kind }: GroupKind): boolean {
  return named.has(`${group}/${kind}`);
}
