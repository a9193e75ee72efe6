/** What are scopes called where a person reads of them? Their folders, as seen from the one that holds them all. */

import type { Scope } from './scopes.ts';
import { nameOf, relativePath } from './uri.ts';

/** So many are named; of more the number is enough. */
const maximumNamed = 3;

/** `overlays/prod`, or `overlays/dev, overlays/prod and 3 more`: some of the scopes that `all` are. */
export function namesOf(some: readonly Scope[], all: readonly Scope[]): string {
  const names = [...new Set(some.map((scope) => scopeName(scope, all)))];
  const named = names.slice(0, maximumNamed);
  if (names.length > maximumNamed) return `${named.join(', ')} and ${names.length - maximumNamed} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}

/** The folder of a scope as it is told from the others; its own name where there are none. */
export function scopeName(scope: Scope, all: readonly Scope[]): string {
  const others = new Set(all.map(({ path }) => path));
  if (others.size < 2) return nameOf(scope.path);
  const common = [...others].reduce(commonFolder);
  return relativePath(common, scope.path) || nameOf(scope.path);
}

function commonFolder(a: string, b: string): string {
  const [one, other] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  // A folder that holds all the others keeps its name.
  return one.slice(0, count === one.length || count === other.length ? count - 1 : count).join('/');
}
