/** Identifies the kinds whose pods run to completion. */

import type { GroupKind } from '../../engine/catalogue/types.ts';

const ending: ReadonlySet<string> = new Set(['batch/Job', 'batch/CronJob']);

/** Whether the pods of a workload run to completion. Such pods serve no requests. */
export function runsToCompletion({ group, kind }: GroupKind): boolean {
  return ending.has(`${group}/${kind}`);
}
