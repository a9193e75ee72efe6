/** Compares which workloads may connect to each other in two trees of manifests. */

import {
  type AddressRange,
  cidrsOf,
  type PeerClass,
  type PortSet,
  PortSets,
  type Reachability,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import { alternativesIn, isAlternative, type ScopedCluster } from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { type ClusterScopes, clustersWith } from '../../workspace/reach/cluster-scopes.ts';
import { workloadName } from '../../workspace/reach/endpoints.ts';
import { portsText } from '../../workspace/reach/sentences.ts';
import { relativePath } from '../../workspace/uri.ts';
import { clustersOf } from '../objects/clusters.ts';
import { maximumChanges } from '../objects/compare.ts';
import type { Tree } from '../objects/objects-of-tree.ts';

/** A connection that is certainly allowed in one tree and certainly denied in the other. */
export interface ConnectionChange {
  readonly kind: 'opened' | 'closed';
  readonly from: string;
  readonly to: string;
  /** The ports of the connection, such as `TCP 80,443 and UDP 53`. */
  readonly ports: string;
  /** The path of the scope that names the cluster; `.` if the objects of several scopes are in one cluster. */
  readonly scope: string;
}

/** The maximum number of comparisons of peer classes; this many comparisons take a few seconds. */
const maximumComparisons = 4_000_000;

export interface ConnectionChanges {
  readonly changes: readonly ConnectionChange[];
  /** Whether the list is truncated. */
  readonly isCut: boolean;
}

/** The changed connections of two trees, which can be updated after a part of the new tree changed. */
export interface TreeConnections extends ConnectionChanges {
  /** The changes in each cluster, by its key; absent if the trees are not divided into clusters. */
  readonly byCluster?: ReadonlyMap<string, ConnectionChanges>;
}

const none: TreeConnections = { changes: [], isCut: false, byCluster: new Map() };

/**
 * Returns the changes for workloads that are in both trees, and for addresses; none if a tree was not read completely.
 */
export function connectionChanges(before: Tree, after: Tree): TreeConnections {
  if (isIncomplete(before, after)) return none;
  const [old, fresh] = [clustersOf(before), clustersOf(after)];
  const byCluster = changesByCluster(byKey(before, old), byKey(after, fresh));
  const isDivided = [...old, ...fresh].every((each) => each.of !== undefined);
  return { ...joined(byCluster), ...(isDivided && { byCluster }) };
}

/** Updates the changes after scopes at some paths of the new tree changed. Returns undefined if the change may concern other clusters. */
export function connectionChangesAgain(
  { byCluster }: TreeConnections,
  before: Tree,
  after: Tree,
  changed: ReadonlySet<string>,
): TreeConnections | undefined {
  if (isIncomplete(before, after)) return none;
  if (byCluster === undefined) return undefined;
  const paths = new Set([...changed].map((path) => relativePath(after.root, path)));
  const keys = new Set([before, after].flatMap((tree) => keysAt(tree, paths)));
  const clustersIn = (tree: Tree) => {
    const { session } = tree;
    const wanted = allClusters(tree).filter((each) => keys.has(keyIn(tree, each)));
    return alternativesIn(session.snapshot(), (uri) => session.workspace.catalogueOf(uri), new Set(wanted));
  };
  const again = changesByCluster(byKey(before, clustersIn(before)), byKey(after, clustersIn(after)));
  const updated = new Map([...[...byCluster].filter(([key]) => !keys.has(key)), ...again]);
  return { ...joined(updated), byCluster: updated };
}

/** Returns the keys of the clusters that may change with scopes at some paths. */
function keysAt(tree: Tree, paths: ReadonlySet<string>): readonly string[] {
  const scopes = tree.session.snapshot().scopes();
  const found = new Set<ClusterScopes>();
  for (const scope of scopes.all())
    if (isAlternative(scope) && paths.has(relativePath(tree.root, scope.path)))
      for (const each of clustersWith(scopes, scope)) found.add(each);
  // Each cluster of GitOps objects may depend on others, which are possibly the same cluster.
  if ([...found].some(({ isGitops }) => isGitops))
    for (const each of allClusters(tree)) if (each.isGitops) found.add(each);
  return [...found].map((each) => keyIn(tree, each));
}

function allClusters({ session }: Tree): readonly ClusterScopes[] {
  const scopes = session.snapshot().scopes();
  return [
    ...new Set(
      scopes
        .all()
        .filter(isAlternative)
        .flatMap((scope) => clustersWith(scopes, scope)),
    ),
  ];
}

function isIncomplete(before: Tree, after: Tree): boolean {
  return [before, after].some((tree) => tree.isPartial || tree.skipped.length > 0);
}

function keyIn({ root }: Tree, { key }: ClusterScopes): string {
  return relativePath(root, key);
}

/** Returns the clusters of a tree by their keys, which are relative to the root. */
function byKey(tree: Tree, clusters: readonly ScopedCluster[]): ReadonlyMap<string, NamedCluster> {
  const complete = clusters.filter(({ cluster }) => cluster.rejected.length === 0);
  return new Map(
    complete.map(({ of, only = of, cluster }) => [
      of === undefined ? '' : keyIn(tree, of),
      { cluster, scope: only === undefined ? '.' : relativePath(tree.root, only.path) },
    ]),
  );
}

function changesByCluster(
  old: ReadonlyMap<string, NamedCluster>,
  fresh: ReadonlyMap<string, NamedCluster>,
): ReadonlyMap<string, ConnectionChanges> {
  return new Map(
    [...fresh].flatMap(([key, { cluster, scope }]) => {
      const earlier = old.get(key);
      return earlier === undefined ? [] : [[key, connectionChangesIn([[earlier.cluster, cluster, scope]])] as const];
    }),
  );
}

/** A cluster, and the path of the scope that names it. */
interface NamedCluster {
  readonly cluster: Cluster;
  readonly scope: string;
}

/** Returns the changes in all clusters, in the order of their keys. */
function joined(byCluster: ReadonlyMap<string, ConnectionChanges>): ConnectionChanges {
  const all = [...byCluster].toSorted(([a], [b]) => compareText(a, b)).map(([, changes]) => changes);
  return { changes: all.flatMap(({ changes }) => changes), isCut: all.some(({ isCut }) => isCut) };
}

/** Returns the changes between the earlier and the current state of clusters, each with the path of the scope that names it. */
export function connectionChangesIn(
  pairs: readonly (readonly [before: Cluster, after: Cluster, scope: string])[],
): ConnectionChanges {
  const changes: ConnectionChange[] = [];
  let isCut = false;
  for (const [before, after, scope] of pairs) isCut = addChanges(before, after, scope, changes) || isCut;
  return { changes, isCut };
}

/** Peers that the policies of each tree do not distinguish from one another. */
interface Both {
  readonly before: PeerClass;
  readonly after: PeerClass;
  readonly names: readonly string[];
}

function addChanges(before: Cluster, after: Cluster, scope: string, changes: ConnectionChange[]): boolean {
  if (before.policies.length === 0 && after.policies.length === 0) return false;
  const ends = [...commonWorkloads(before, after), ...commonAddresses(before.reachability, after.reachability)];
  if (ends.length ** 2 > maximumComparisons) return true;
  const sets = new PortSets();
  const left = { opened: maximumChanges, closed: maximumChanges };
  let isCut = false;
  for (const from of ends) {
    for (const to of ends) {
      if (from.after.kind === 'addresses' && to.after.kind === 'addresses') continue;
      const old = before.reachability.connections(from.before, to.before);
      const fresh = after.reachability.connections(from.after, to.after);
      const own = (set: PortSet) => sets.own(set);
      const neverBefore = sets.difference(own(fresh.allowed), sets.union(own(old.allowed), own(old.unknown)));
      const neverAfter = sets.difference(own(old.allowed), sets.union(own(fresh.allowed), own(fresh.unknown)));
      for (const [kind, set] of [
        ['closed', neverAfter],
        ['opened', neverBefore],
      ] as const) {
        if (set === sets.none) continue;
        const ports = portsText(set);
        for (const source of from.names)
          for (const target of to.names) {
            if (source === target) continue;
            if (left[kind]-- > 0) changes.push({ kind, from: source, to: target, ports, scope });
            else isCut = true;
          }
      }
    }
  }
  return isCut;
}

/** Returns the workloads that exist in both trees, grouped so that the policies of each tree do not distinguish the workloads of a group. */
function commonWorkloads(before: Cluster, after: Cluster): readonly Both[] {
  const old = new Map(before.workloads.map((workload, index) => [workloadName(workload), index]));
  const found = new Map<string, Both & { readonly names: string[] }>();
  for (const [index, workload] of after.workloads.entries()) {
    const name = workloadName(workload);
    const [earlier, now] = [before.reachability.classOf(old.get(name) ?? -1), after.reachability.classOf(index)];
    if (earlier === undefined || now === undefined) continue;
    const key = `${earlier.place} ${now.place}`;
    getOrAdd(found, key, () => ({ before: earlier, after: now, names: [] })).names.push(name);
  }
  return [...found.values()];
}

/** Returns the addresses outside of the cluster, divided at the boundaries of both trees. */
function commonAddresses(before: Reachability, after: Reachability): readonly Both[] {
  const cut = after.addressClasses.flatMap((now) =>
    before.addressClasses.map((old): Both => ({ before: old, after: now, names: namesOf(now.ranges, old.ranges) })),
  );
  return cut.filter(({ names }) => names.length > 0);
}

/** Returns the address blocks that are in both lists of ranges. Both lists must be sorted. */
function namesOf(a: readonly AddressRange[], b: readonly AddressRange[]): readonly string[] {
  const common: AddressRange[] = [];
  let [atA, atB] = [0, 0];
  for (let inA = a[0], inB = b[0]; inA !== undefined && inB !== undefined; inA = a[atA], inB = b[atB]) {
    if (inA.family === inB.family) {
      const [first] = [inA.first, inB.first].sort(descending);
      const [, last] = [inA.last, inB.last].sort(descending);
      if (first !== undefined && last !== undefined && first <= last) common.push({ family: inA.family, first, last });
    }
    if (inA.family < inB.family || (inA.family === inB.family && inA.last < inB.last)) atA++;
    else atB++;
  }
  return cidrsOf(common).map((cidr) => `ip:${cidr}`);
}

function descending(a: bigint, b: bigint): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
