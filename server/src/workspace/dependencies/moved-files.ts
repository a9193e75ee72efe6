/** Finds the files that are applied differently after some files changed, although most of them did not change themselves. */

import type { Structure } from '../kustomize/named-files.ts';
import type { FileChange } from '../model.ts';
import { changedScopes } from '../scopes/changed-scopes.ts';
import { Neighbors } from './neighbors.ts';

/** The maximum number of files whose relations to all other files are examined. */
const maximumMoved = 2_000;

/** Returns the files of the scopes that differ after changes, and of those that build a changed kustomization: how their objects are related to objects of other scopes may differ. Undefined if this may concern every file. */
export function movedFiles(
  before: Structure,
  after: Structure,
  changes: readonly FileChange[],
): ReadonlySet<string> | undefined {
  const changed = changedScopes(before.scopes(), after.scopes());
  if (changed === undefined) return undefined;
  const moved = new Set(changed.files);
  const isKustomization = ({ before: was, after: is }: FileChange) =>
    was.kustomization !== undefined || is.kustomization !== undefined;
  const kustomizations = changes.filter(isKustomization).map(({ after: { uri } }) => uri);
  for (const [structure, scopes] of [
    [before, changed.before],
    [after, changed.after],
  ] as const) {
    const neighbors = new Neighbors(structure);
    const built = kustomizations.flatMap((uri) => structure.scopes().building(uri));
    for (const scope of new Set([...scopes, ...built])) for (const uri of neighbors.filesOf(scope)) moved.add(uri);
  }
  return moved.size > maximumMoved ? undefined : moved;
}
