/** Determines whether the content of all scopes of an object is completely known. */

import type { ObjectInFile } from '../../workspace/model.ts';
import type { Scope, Scopes } from '../../workspace/scopes/model.ts';
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

/**
 * Whether the cluster of an object contains no GitOps object whose objects are all unknown: those of another repository, or
 * those that a ResourceSet renders.
 */
export function isInKnownCluster({ workspace }: Pick<RuleContext, 'workspace'>, where: ObjectInFile): boolean {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(where));
  return scopes.all().every((scope) => {
    const { kind, gitops, files } = scope;
    if (kind === 'helm-release' || !own.some((each) => scopes.shareCluster(each, scope))) return true;
    return gitops?.contents.includes(undefined) !== true && ![...files].some((uri) => hasResourceSet(scopes, uri));
  });
}

function hasResourceSet(scopes: Scopes, uri: string): boolean {
  const { identities = [] } = scopes.facts().get(uri) ?? {};
  return identities.some((identity) => identity.startsWith('fluxcd.controlplane.io\nResourceSet\n'));
}
