/** Determines which scopes certainly share a cluster, and which never do. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Scope, Scopes, Someone } from './model.ts';

/** Whether a scope is never applied to the cluster of an object; `own` contains the scopes of the object. */
export function areApart(scopes: Scopes, own: readonly Scope[], other: Scope): boolean {
  return own.length > 0 && own.every((each) => scopes.relationOf(each, other) === 'apart');
}

/** Returns the other GitOps objects that certainly apply to the cluster of an object; `own` contains the scopes of the object. */
export function scopesInCluster(scopes: Scopes, own: readonly Scope[]): readonly Scope[] {
  if (own.every(({ gitops }) => gitops === undefined)) return [];
  return scopes.all().filter((each) => !own.includes(each) && own.some((one) => scopes.shareCluster(one, each)));
}

const known = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Returns the files whose objects are certainly applied to the same cluster as the object at a position. */
export function filesInCluster(scopes: Scopes, place: string): ReadonlySet<string> {
  const around = scopes.filesAround(place);
  return getOrAdd(known, around, () => {
    const beside = scopesInCluster(scopes, scopes.of(place));
    return beside.length === 0 ? around : new Set([...around, ...beside.flatMap(({ files }) => [...files])]);
  });
}

/** Whether the object `who` at the position `to` is certainly applied to the same cluster as the object at the position `from`. */
export function areInCluster(scopes: Scopes, from: string, to: string, who: Someone): boolean {
  const relation = scopes.relation(from, to, who);
  if (relation !== 'elsewhere') return relation === 'here';
  const others = scopes.of(to);
  return scopes.of(from).some((one) => others.some((other) => scopes.shareCluster(one, other)));
}
