/** Which of several scopes leads, when a reader looks at one of them? */

import { nameOf } from '../uri.ts';
import type { Scope } from './model.ts';

/**
 * The same, in the same order, but for the active scope. Who looks at `shop/overlays/prod` wants to see what is called
 * `prod` of other applications, too.
 */
export function activeFirst<T extends { readonly scope: Scope }>(all: readonly T[], active: string | undefined) {
  if (active === undefined || all.length < 2) return all;
  const lead =
    all.find(({ scope }) => scope.path === active) ?? all.find(({ scope }) => nameOf(scope.path) === nameOf(active));
  return lead === undefined ? all : [lead, ...all.filter((each) => each !== lead)];
}
