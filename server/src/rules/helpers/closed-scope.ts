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
  const isKnown = ({ closed }: Scope) => {
    return closed === true || (closed.areReleases === true && isReleased !== undefined && !isReleased());
  };
  return scopes.length > 0 && scopes.every(isKnown);
}
