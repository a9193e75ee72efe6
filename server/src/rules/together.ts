/** Are two objects certainly applied together, and no alternatives of each other? */

import { placeOf } from '../workspace/scope-facts.ts';
import { isIn, type ObjectInFile, type Workspace } from '../workspace/workspace.ts';

/**
 * In one file, built by one kustomization, or in one scope that a team declared. A folder is not enough: it may hold
 * samples of which each is meant alone. In a chart, conditions decide which objects are there.
 */
export function areTogether(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): boolean {
  if (mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return false;
  if (a.file.uri === b.file.uri) return placeOf(a) === placeOf(b);
  const scopes = workspace.scopes();
  const others = scopes.of(placeOf(b));
  return scopes
    .of(placeOf(a))
    .some((scope) => (scope.kind === 'kustomization' || scope.kind === 'declared') && others.includes(scope));
}

/** In a chart a condition may leave an object out, or put another in its place. */
export function mayBeLeftOut(workspace: Workspace, where: ObjectInFile): boolean {
  if (where.file.manifest.unresolved) return true;
  return isIn(workspace, placeOf(where), 'chart');
}
