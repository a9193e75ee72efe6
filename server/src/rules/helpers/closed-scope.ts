/** Determines whether the content of all scopes of an object is completely known. */

import type { ObjectInFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Whether an object is in a scope, and the content of all of its scopes is known. If `isReleased` is given, objects of charts that are not in any file may be missing, unless `isReleased` returns true. */
export function isInClosedScope(
  { workspace }: Pick<RuleContext, 'workspace'>,
  where: ObjectInFile,
  isReleased?: () => boolean,
): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  const isKnown = ({ closed }: Scope) =>
    closed === true || (closed.areReleases === true && isReleased !== undefined && !isReleased());
  return scopes.length > 0 && scopes.every(isKnown);
}

/** Whether all objects of the cluster of an object are known, except those of charts. */
export function isInClosedCluster({ workspace }: Pick<RuleContext, 'workspace'>, where: ObjectInFile): boolean {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(where));
  const others = scopes.all().filter((scope) => own.some((each) => scopes.shareCluster(each, scope)));
  return others.every(({ kind, closed }) => kind === 'helm-release' || closed === true || closed.areReleases === true);
}
