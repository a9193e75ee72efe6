/** Counts the pods and other objects that have a label, without deserializing files. */

import { getOrAdd } from '../engine/memoize.ts';
import { kindKey } from './index/file-outline.ts';
import type { Workspace } from './model.ts';

/** The number of pods, including those that templates create, and of other objects. */
export interface Users {
  readonly pods: number;
  readonly objects: number;
}

/** The key of pods, and of the pods that templates create. */
const podKey = kindKey({ group: '', kind: 'Pod' });

export function usersByValue(
  workspace: Pick<Workspace, 'targets' | 'labelCounts'>,
  key: string,
): ReadonlyMap<string, Users> {
  const users = new Map<string, { pods: number; objects: number }>();
  for (const target of workspace.targets())
    for (const [value, count] of workspace.labelCounts(target).values(key)) {
      const known = getOrAdd(users, value, () => ({ pods: 0, objects: 0 }));
      if (target === podKey) known.pods += count;
      else known.objects += count;
    }
  return users;
}

/** Returns the users of a label with any known value. */
export function usersOf(workspace: Pick<Workspace, 'targets' | 'labelCounts'>, key: string): Users {
  let [pods, objects] = [0, 0];
  for (const users of usersByValue(workspace, key).values()) {
    pods += users.pods;
    objects += users.objects;
  }
  return { pods, objects };
}
