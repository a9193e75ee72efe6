/** Determines whether the labels and selectors of an object may be different in the cluster than in its file. */

import type { ManifestObject } from '../../manifests/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Whether a kustomization may change the labels or selectors of an object in a declared scope, whose result cannot be rendered. */
export function isRelabelled(
  { workspace, file }: Pick<RuleContext, 'workspace' | 'file'>,
  object: ManifestObject,
): boolean {
  return workspace
    .scopes()
    .of(placeOf({ file, object }))
    .some((scope) => scope.kind === 'declared' && scope.edited === true);
}
