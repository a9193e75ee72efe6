/** Orders results of several scopes, so that the result of the active scope comes first. */

import { fileNameOf } from '../uri.ts';
import type { Scope } from './model.ts';

/**
 * Returns the results in the same order, with that of the active scope first. If no result has that scope, one whose
 * scope has the same name comes first: with `shop/overlays/prod` active, the `prod` of another application.
 */
export function activeFirst<T extends { readonly scope: Scope }>(all: readonly T[], active: string | undefined) {
  if (active === undefined || all.length < 2) return all;
  const lead =
    all.find(({ scope }) => scope.path === active) ??
    all.find(({ scope }) => fileNameOf(scope.path) === fileNameOf(active));
  return lead === undefined ? all : [lead, ...all.filter((each) => each !== lead)];
}
