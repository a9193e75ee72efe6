/** Finds the scopes that the GitOps objects of a scope apply. */

import type { Scope, Scopes } from '../../workspace/scopes/model.ts';

/** Whether a scope contains only GitOps objects and their sources, so that all other objects are in the scopes that it applies. */
export function isOnlyGitops(scopes: Scopes, { files }: Scope): boolean {
  return [...files].every((uri) => {
    const { objects = 0, gitops = [], gitopsSources = [] } = scopes.facts().get(uri) ?? {};
    return objects <= gitops.length + gitopsSources.length;
  });
}

/** Returns the scopes that the GitOps objects in a scope apply. */
export function scopesAppliedBy(scopes: Scopes, { files }: Scope): readonly Scope[] {
  return scopes.all().filter(({ gitops }) => gitops !== undefined && files.has(gitops.uri));
}

/** Returns some scopes, in which each scope that contains GitOps objects, and for which `isReplaced` is true, is replaced by the scopes that it applies, directly or through other GitOps objects. */
export function withApplied(
  scopes: Scopes,
  limits: Iterable<Scope>,
  isReplaced: (scope: Scope) => boolean,
): ReadonlySet<Scope> {
  const found = new Set<Scope>();
  for (const limit of limits) {
    const applied = new Set(isReplaced(limit) ? scopesAppliedBy(scopes, limit) : []);
    // A set also iterates over the values that are added meanwhile.
    for (const scope of applied) for (const each of scopesAppliedBy(scopes, scope)) applied.add(each);
    for (const scope of applied.size === 0 ? [limit] : applied) found.add(scope);
  }
  return found;
}
