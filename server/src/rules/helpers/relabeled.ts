/** Determines whether the labels and selectors of an object may differ between its file and the cluster. */

import type { ManifestObject } from '../../manifests/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** True if a kustomization may change them in a declared scope, which has no rendering. */
export function isRelabelled(
  { workspace, file }: Pick<RuleContext, 'workspace' | 'file'>,
  object: ManifestObject,
): boolean {
  return workspace
    .scopes()
    .of(placeOf({ file, object }))
    .some((scope) => scope.kind === 'declared' && scope.edited === true);
}
