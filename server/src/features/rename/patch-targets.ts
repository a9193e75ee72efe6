/** Renames a label in the target selectors of patches; `commands.ts` renames labels in commands. */

import type { WorkspaceFile } from '../../workspace/model.ts';
import type { View } from '../view.ts';
import { type LabelName, type NameEdit, renameInText } from './label-name.ts';
import type { Reach } from './renamed-labels.ts';

export interface AsyncAccess {
  readonly file: WorkspaceFile;
  readonly edit: NameEdit;
}

/** Returns the edits in the target selectors of patches, in the kustomizations that build a renamed object. */
export function inPatchTargets({ workspace }: View, reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const scopes = workspace.scopes();
  const roots = new Set([...reach.objects.values()].map(({ world }) => world.workspace.appliedBy));
  const parts = new Set([...roots].flatMap((root) => (root === undefined ? [] : scopes.partsOf(root))));
  return [...parts].flatMap((uri) => {
    const file = workspace.files.get(uri);
    const changes = file?.kustomization?.changes ?? [];
    return changes.flatMap(({ target }) => {
      const edits = renameInText(target?.labelSelector, name, to);
      return file === undefined ? [] : edits.map((edit) => ({ file, edit }));
    });
  });
}
