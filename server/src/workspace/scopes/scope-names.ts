/** Display names of scopes: their folders, relative to the nearest folder that contains all of them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { localize } from '../../text/localize.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from '../uri.ts';
import type { Scope } from './model.ts';

/** The maximum number of scopes that are listed by name; of the remaining scopes, only the number is shown. */
const maximumNamed = 3;

/** Lists the names of some of the scopes in `all`: `overlays/prod`, or `overlays/dev, overlays/prod and 3 more`. */
export function namesOf(some: readonly Scope[], all: readonly Scope[]): string {
  return listedNames([...new Set(some.map((scope) => scopeName(scope, all)))]);
}

/** Lists some of the names of scopes: `overlays/dev, overlays/prod and 3 more`. */
export function listedNames(names: readonly string[]): string {
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
  const { areNamed, common: shared, areSeveral } = getOrAdd(compared, all, compare);
  const path = pathOf(scope);
  if (scope.gitops !== undefined && (areNamed || !areSeveral)) return scope.gitops.facts.name;
  if (!areSeveral) return fileNameOf(path);
  let common = folderOf(path);
  while (common !== '' && !isWithin(shared, common)) common = folderOf(common);
  return relativePath(common, path);
}

interface Compared {
  /** Whether the names of GitOps objects distinguish all scopes. */
  readonly areNamed: boolean;
  /** The nearest folder that contains all scopes. */
  readonly common: string;
  /** Whether the scopes have several paths. */
  readonly areSeveral: boolean;
}

const compared = new WeakMap<readonly Scope[], Compared>();

function compare(all: readonly Scope[]): Compared {
  const names = new Map(all.map(({ path, gitops }) => [path, gitops?.facts.name || undefined]));
  const distinct = new Set(names.values());
  const paths = new Set(all.map(pathOf));
  const [first = '', ...others] = new Set([...paths].map(folderOf));
  let common = first;
  for (const each of others) while (common !== '' && !isWithin(each, common)) common = folderOf(common);
  return { areNamed: !distinct.has(undefined) && distinct.size === names.size, common, areSeveral: paths.size > 1 };
}

function pathOf({ path, name }: Scope): string {
  return name === undefined ? path : `${path}/${name}`;
}
