/** Finds the files that changed since an earlier state of the live workspace. */

import { absentFile } from '../absent-file.ts';
import type { FileChange, Workspace } from '../model.ts';
import type { LiveWorkspace } from './live-workspace.ts';

export interface LiveState {
  readonly snapshot: Workspace;
  /** The value of `rewritten.version` for the snapshot. */
  readonly rewritten: number;
}

export function stateOf(workspace: LiveWorkspace): LiveState {
  return { snapshot: workspace.snapshot(), rewritten: workspace.rewritten.version };
}

/** Returns the files that changed, were added or were deleted since an earlier state, including files whose facts stayed equal; undefined if any file may have changed. */
export function changesSince(
  { snapshot: before, rewritten }: LiveState,
  workspace: LiveWorkspace,
): readonly FileChange[] | undefined {
  const after = workspace.snapshot();
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
