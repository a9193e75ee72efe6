/** Determines whether the scopes of an object were loaded completely. */

import type { ObjectInFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** True if an object is in a scope, and all content of its scopes is known. */
export function isInClosedScope({ workspace }: Pick<RuleContext, 'workspace'>, where: ObjectInFile): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.length > 0 && scopes.every(({ closed }) => closed === true);
}
