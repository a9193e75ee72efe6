/** The clusters that a command looks at: objects that are applied together, as a world of reachability. */

import { type Cluster, type ClusterObject, clusterOf } from '../../workspace/reach/cluster.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { type AppliedObject, appliedObjects, isSelected, scopesOf } from './applied-objects.ts';

/** A cluster, and the scope that distinguishes it from others. */
export interface ScopedCluster {
  /** Undefined if everything that is selected is one cluster. */
  readonly scope: Scope | undefined;
  readonly cluster: Cluster;
}

/**
 * Everything that is selected as one cluster, if no object is in it twice. Otherwise, kustomizations and charts are
 * alternatives: each is a cluster with the objects that no other one has.
 */
export function clustersOf(indexed: Pick<Indexed, 'session' | 'selection'>): readonly ScopedCluster[] {
  const { session } = indexed;
  const catalogueOf = (uri: string) => session.workspace.catalogueOf(uri);
  const objects = [...appliedObjects(session)].filter(
    (each) => each.file.uri !== everyCluster && each.file.config === undefined && isSelected(indexed, each),
  );
  const make = (own: Iterable<ClusterObject>) => clusterOf(own, catalogueOf, { isOpen: false });
  const roots = new Map<AppliedObject, Scope | undefined>();
  for (const each of objects)
    roots.set(
      each,
      scopesOf(session, each).find(({ kind }) => kind === 'kustomization' || kind === 'chart' || kind === 'template'),
    );
  const scopes = new Set([...roots.values()].filter((scope) => scope !== undefined));
  if (scopes.size < 2 || !haveCommonObjects(roots)) return [{ scope: undefined, cluster: make(objects) }];
  return [...scopes].map((scope) => {
    const own = objects.filter((each) => roots.get(each) === scope);
    const names = new Set(own.map(identityOf));
    const shared = objects.filter((each) => roots.get(each) === undefined && !names.has(identityOf(each)));
    return { scope, cluster: make([...shared, ...own]) };
  });
}

function haveCommonObjects(roots: ReadonlyMap<AppliedObject, Scope | undefined>): boolean {
  const owners = new Map<string, Scope | undefined>();
  for (const [each, scope] of roots) {
    const identity = identityOf(each);
    if (owners.has(identity) && owners.get(identity) !== scope) return true;
    owners.set(identity, scope);
  }
  return false;
}

function identityOf({ object }: ClusterObject): string {
  const { group, kind, namespace, name } = object;
  return [group, kind, namespace?.text ?? '', name?.text ?? ''].join('\n');
}
