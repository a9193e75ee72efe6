/** Finds the scopes that the GitOps objects of a scope apply. */

import type { Scope, Scopes } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import { nameList } from '../output/name-list.ts';
import { displayPath } from './display-path.ts';
import type { PathSelection } from './path-selection.ts';

/** Whether a scope contains only GitOps objects and their sources, so that all other objects are in the scopes that it applies. */
export function isOnlyGitops(scopes: Scopes, { files }: Scope): boolean {
  return [...files].every((uri) => {
    const { objects = 0, gitops = [], gitopsSources = [] } = scopes.factsOf(uri) ?? {};
    return objects <= gitops.length + gitopsSources.length;
  });
}

/** Returns the scopes that the GitOps objects in a scope apply. */
function scopesAppliedBy(scopes: Scopes, { files }: Scope): readonly Scope[] {
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

/** The maximum number of scopes that a note names. */
const mostNamed = 10;

/** Returns notes on the selected scopes with GitOps objects that apply scopes that are not selected. Without `--scope`, there are only notes if all selected scopes contain only GitOps objects. */
export function definitionNotes(world: World, scopes: Scopes, selection: PathSelection): readonly string[] {
  if (selection.isWhole) return [];
  const { limits } = selection;
  const selected = [...(limits ?? scopes.all().filter((scope) => selection.selectsScope(scope)))];
  const definitions = selected.filter((scope) => hasGitops(scopes, scope));
  const isDefined = (scope: Scope) => isOnlyGitops(scopes, scope);
  if (limits === undefined && !(definitions.length === selected.length && definitions.every(isDefined))) return [];
  const known = new Set(selected);
  return definitions.flatMap((definition) => {
    const applied = [...withApplied(scopes, [definition], () => true)].filter((scope) => scope !== definition);
    const others = applied.filter((scope) => !known.has(scope) && !isDefined(scope));
    const contents = `The scope '${displayPath(world, definition.path)}' contains ${isDefined(definition) ? 'only ' : ''}GitOps objects`;
    if (others.length === 0) {
      const isUnknown =
        limits !== undefined && isDefined(definition) && applied.every((scope) => scope.files.size === 0);
      return isUnknown ? [`${contents}, and the scopes that they apply are unknown.`] : [];
    }
    // One of two definitions that lead to the same scopes is enough.
    for (const each of others) known.add(each);
    const direct = new Set(scopesAppliedBy(scopes, definition));
    // A path to a scope selects only what its own GitOps objects apply, not what the GitOps objects among these apply.
    const isPath = limits !== undefined && definition.gitops === undefined && others.every((each) => direct.has(each));
    const names = others.map(({ path }) => `'${displayPath(world, path)}'`);
    const how = `${isPath ? 'name it as a path, or ' : ''}name the scopes ${nameList(names, mostNamed)}`;
    return [`${contents}. To include what they apply, ${how}.`];
  });
}

/** Whether a scope contains an object that applies other objects, and not only a source. */
function hasGitops(scopes: Scopes, { files }: Scope): boolean {
  return [...files].some((uri) => (scopes.factsOf(uri)?.gitops ?? []).length > 0);
}
