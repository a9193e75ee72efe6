/** Determines which scopes certainly share a cluster, and which never do. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ClusterGroup, Scope, Scopes, Someone } from './model.ts';
import { scopeQuery, textOfScope } from './recorded-scopes.ts';

/** Whether a scope is never applied to the cluster of an object; `own` contains the scopes of the object. */
export function areApart(scopes: Scopes, own: readonly Scope[], other: Scope): boolean {
  return own.length > 0 && own.every((each) => scopes.relationOf(each, other) === 'apart');
}

/** Returns the other GitOps objects that certainly apply to the cluster of an object, at most `maximum`; `own` contains the scopes of the object. */
export function scopesInCluster(
  scopes: Scopes,
  own: readonly Scope[],
  maximum = Number.POSITIVE_INFINITY,
): readonly Scope[] {
  const found: Scope[] = [];
  for (const each of allInCluster(scopes, own)) {
    if (found.length === maximum) break;
    if (!own.includes(each)) found.push(each);
  }
  return found;
}

/** Returns all GitOps objects that certainly apply to the cluster of an object, including its own: one list for all objects of the cluster. */
export function allInCluster(scopes: Scopes, own: readonly Scope[]): readonly Scope[] {
  return own.every(({ gitops }) => gitops === undefined) ? none : sharingCluster(scopes, ...own);
}

const none: readonly Scope[] = [];

const sharingCluster = scopeQuery(
  'GitOps objects in the cluster',
  (scopes, ...own: readonly Scope[]) => {
    const applying = own.filter(({ gitops }) => gitops !== undefined);
    const groups = scopes.clusterGroups().filter((group) => applying.some((each) => group.scopes.has(each)));
    return gitopsObjectsIn(scopes, groups);
  },
  memoized((found) => found.map(textOfScope).join('\n')),
);

const membersOf = memoized((_: Scopes) => new Map<string, readonly Scope[]>());

/** Returns the GitOps objects of some clusters, which are the same for all objects of these clusters. */
function gitopsObjectsIn(scopes: Scopes, groups: readonly ClusterGroup[]): readonly Scope[] {
  return getOrAdd(membersOf(scopes), groups.map(({ key }) => key).join('\n\n'), () => {
    const found = new Set(groups.flatMap((group) => [...group.scopes]));
    return scopes.all().filter((each) => each.gitops !== undefined && found.has(each));
  });
}

/** Whether the object `who` at the position `to` is certainly applied to the same cluster as the object at the position `from`. */
export function areInCluster(scopes: Scopes, from: string, to: string, who: Someone): boolean {
  const relation = scopes.relation(from, to, who);
  if (relation !== 'elsewhere') return relation === 'here';
  const others = scopes.of(to);
  return scopes.of(from).some((one) => others.some((other) => scopes.shareCluster(one, other)));
}
