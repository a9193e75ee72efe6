/** Are the labels and selectors of an object in the cluster those that its file says? */

import type { ManifestObject } from '../../manifests/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** True where a kustomization may change them on the way into a scope that a team declared: that has no rendering. */
export function isRelabelled(
  { workspace, file }: Pick<RuleContext, 'workspace' | 'file'>,
  object: ManifestObject,
): boolean {
  return workspace
    .scopes()
    .of(placeOf({ file, object }))
    .some((scope) => scope.kind === 'declared' && scope.edited === true);
}
