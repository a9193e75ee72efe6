/** Counts the loaded files and objects for the cluster. */

import type { Workspace, WorkspaceFile } from './model.ts';
import { everyCluster, type Scopes } from './scopes/model.ts';

/** The counts of the files that were loaded so far. */
export interface Summary {
  readonly files: number;
  readonly objects: number;
  readonly skipped: number;
  /** Whether `load` has ended. */
  readonly complete: boolean;
}

type Counts = Pick<Summary, 'files' | 'objects'>;

/** The last counts, by the scopes of the snapshot. */
const latest = new WeakMap<Scopes, { readonly files: Workspace['files']; readonly counts: Counts }>();

/** Counts the files of a snapshot that contain objects for the cluster, and these objects. */
export function countOf(workspace: Workspace): Counts {
  const scopes = workspace.scopes();
  const last = latest.get(scopes);
  const changed = last && workspace.files.keysChangedSince(last.files);
  let [files, objects] = changed === undefined ? [0, 0] : [last?.counts.files ?? 0, last?.counts.objects ?? 0];
  const add = (file: WorkspaceFile | undefined, sign: 1 | -1) => {
    if (file === undefined || file.config !== undefined || file.uri === everyCluster) return;
    if (file.objects === 0 || scopes.isPatch(file.uri)) return;
    files += sign;
    objects += sign * file.objects;
  };
  if (changed === undefined) for (const file of workspace.files.values()) add(file, 1);
  for (const uri of changed ?? []) {
    add(last?.files.get(uri), -1);
    add(workspace.files.get(uri), 1);
  }
  const counts = { files, objects };
  latest.set(scopes, { files: workspace.files, counts });
  return counts;
}
