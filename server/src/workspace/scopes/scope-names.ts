/** Display names of scopes: their folders, relative to the nearest folder that contains all of them. */

import { localize } from '../../text/localize.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from '../uri.ts';
import type { Scope } from './model.ts';

/** The maximum number of scopes that are listed by name; of the remaining scopes, only the number is shown. */
const maximumNamed = 3;

/** Lists the names of some of the scopes in `all`: `overlays/prod`, or `overlays/dev, overlays/prod and 3 more`. */
export function namesOf(some: readonly Scope[], all: readonly Scope[]): string {
  const names = [...new Set(some.map((scope) => scopeName(scope, all)))];
  const named = names.slice(0, maximumNamed);
  if (names.length > maximumNamed) return localize`${named.join(', ')} and ${names.length - maximumNamed} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : localize`${named.join(', ')} and ${last}`;
}

/**
 * Returns the name of a GitOps object if it distinguishes all scopes; otherwise the shortest folder that distinguishes a
 * scope from the others, or the name of the scope if there are no others.
 */
export function scopeName(scope: Scope, all: readonly Scope[]): string {
  const names = new Map(all.map(({ path, gitops }) => [path, gitops?.facts.name || undefined]));
  const distinct = new Set(names.values());
  if (scope.gitops !== undefined && !distinct.has(undefined) && distinct.size === names.size)
    return scope.gitops.facts.name;
  const paths = [...new Set(all.map(pathOf))];
  const path = pathOf(scope);
  if (paths.length < 2) return scope.gitops?.facts.name ?? fileNameOf(path);
  let common = folderOf(path);
  while (common !== '' && !paths.every((each) => isWithin(folderOf(each), common))) common = folderOf(common);
  return relativePath(common, path);
}

function pathOf({ path, name }: Scope): string {
  return name === undefined ? path : `${path}/${name}`;
}
