/** Counts the loaded files and objects for the cluster. */

import type { Workspace } from './model.ts';
import { everyCluster } from './scopes/model.ts';

/** The counts of the files that were loaded so far. */
export interface Summary {
  readonly files: number;
  readonly objects: number;
  readonly skipped: number;
  /** Whether `load` has ended. */
  readonly complete: boolean;
}

/** Counts the files of a snapshot that contain objects for the cluster, and these objects. */
export function countOf(workspace: Workspace): Pick<Summary, 'files' | 'objects'> {
  let files = 0;
  let objects = 0;
  for (const file of workspace.files.values()) {
    if (file.config !== undefined || file.uri === everyCluster) continue;
    if (file.objects === 0 || workspace.scopes().isPatch(file.uri)) continue;
    files++;
    objects += file.objects;
  }
  return { files, objects };
}
