/** Determines whether the scopes of an object were loaded completely. */

import type { ObjectInFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/**
 * True if an object is in a scope, and all content of its scopes is known. With `isReleased`, the objects of charts that are
 * in no file may be missing unless they may be intended.
 */
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
