/** Orders the results of several scopes, so that the result of the active scope comes first. */

import { fileNameOf } from '../uri.ts';
import type { Scope } from './model.ts';

/** Returns the results in the same order, except that the result of the active scope comes first. If there is none, a result whose scope has the same name comes first: with `shop/overlays/prod` active, the `prod` overlay of another application. */
export function activeFirst<T extends { readonly scope: Scope }>(all: readonly T[], active: string | undefined) {
  if (active === undefined || all.length < 2) return all;
  const lead =
    all.find(({ scope }) => scope.path === active) ??
    all.find(({ scope }) => fileNameOf(scope.path) === fileNameOf(active));
  return lead === undefined ? all : [lead, ...all.filter((each) => each !== lead)];
}
