/** Compares which workloads may connect to each other in two trees of manifests. */

import {
  type AddressRange,
  type Connections,
  cidrsOf,
  type PeerClass,
  type PortSet,
  PortSets,
  pluginsOf,
  type Reachability,
} from '../../engine/index.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { policyData } from '../../manifests/sites/policy-data.ts';
import { compareText } from '../../text/order.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { workloadName } from '../../workspace/reach/endpoints.ts';
import { pluginOf } from '../../workspace/reach/plugin-policies.ts';
import { portsText } from '../../workspace/reach/sentences.ts';
import { relativePath } from '../../workspace/uri.ts';
import { maximumChanges } from '../objects/compare.ts';
import type { Tree } from '../trees/tree.ts';
import { filesWithObjects, maximumFiles } from './clusters-around.ts';
import { type ComparedCluster, clustersAt, comparedClusters } from './compared-clusters.ts';

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

/** The maximum number of pairs of ends; to find the pairs whose connections may have changed takes up to a second. */
const maximumPairs = 4_000_000;

/** The maximum number of pairs whose connections are compared; this many comparisons take a few seconds. */
const maximumComparisons = 500_000;

export interface ConnectionChanges {
  readonly changes: readonly ConnectionChange[];
  /** The changed connections between the pods of one workload. */
  readonly own?: readonly ConnectionChange[];
  /** The workloads to whose incoming connections no policy applies any more, so that all pods of the cluster may connect to them, by `endKey`. */
  readonly unrestricted?: readonly string[];
  /** Sentences that describe which connections were not compared, and whether the list is truncated. */
  readonly problems: readonly string[];
}

/** The changed connections of two trees, which can be updated after a part of the new tree changed. */
export interface TreeConnections extends ConnectionChanges {
  /** The changes in each cluster, by its key; absent if a change may concern several clusters. */
  readonly byCluster?: ReadonlyMap<string, ConnectionChanges>;
}

const none: TreeConnections = { changes: [], problems: [], byCluster: new Map() };

const notCompared: TreeConnections = {
  ...none,
  problems: [`Connections are not compared: files are missing, and more than ${maximumFiles} files contain objects.`],
};

/**
 * Returns the changes for workloads that are in both trees, and for addresses; none if a tree was not read completely.
 */
export function connectionChanges(before: Tree, after: Tree): TreeConnections {
  const skipped = skippedComparison(before, after);
  if (skipped !== undefined) return skipped;
  const clusters = comparedClusters(before, after);
  const byCluster = changesByCluster(clusters.before, clusters.after);
  return { ...joined(byCluster), ...(clusters.areSeparate && { byCluster }) };
}

/** Updates the changes after scopes at some paths of the new tree changed. Returns undefined if the change may concern other clusters. */
export function connectionChangesAgain(
  { byCluster }: TreeConnections,
  before: Tree,
  after: Tree,
  changed: ReadonlySet<string>,
): TreeConnections | undefined {
  const skipped = skippedComparison(before, after);
  if (skipped !== undefined) return skipped;
  if (byCluster === undefined) return undefined;
  const clusters = clustersAt(before, after, new Set([...changed].map((path) => relativePath(after.root, path))));
  if (clusters === undefined) return undefined;
  const again = changesByCluster(clusters.before, clusters.after);
  const updated = new Map([...[...byCluster].filter(([key]) => !clusters.keys.has(key)), ...again]);
  return { ...joined(updated), byCluster: updated };
}

/** Whether the objects of a tree without files that kustomizations include would be compared as one cluster, anew after each change, although there are many. */
function isLargeAndPartial(before: Tree, after: Tree): boolean {
  const trees = [before, after];
  return (
    trees.some(({ isPartial }) => isPartial) &&
    trees.every(({ session }) => session.snapshot().scopes().clusterGroups().length === 0) &&
    trees.some(({ session }) => filesWithObjects(session) > maximumFiles)
  );
}

/** Returns the result for trees whose connections are not compared; undefined if they are. */
function skippedComparison(before: Tree, after: Tree): TreeConnections | undefined {
  if ([before, after].some(({ skipped }) => skipped.length > 0)) return none;
  return isLargeAndPartial(before, after) ? notCompared : undefined;
}

function changesByCluster(
  old: ReadonlyMap<string, ComparedCluster>,
  fresh: ReadonlyMap<string, ComparedCluster>,
): ReadonlyMap<string, ConnectionChanges> {
  return new Map(
    [...fresh].flatMap(([key, after]) => {
      const before = old.get(key);
      return before === undefined ? [] : [[key, connectionChangesIn(before, after)] as const];
    }),
  );
}

/** Returns the changes in all clusters, in the order of their keys. */
function joined(byCluster: ReadonlyMap<string, ConnectionChanges>): ConnectionChanges {
  const all = [...byCluster].toSorted(([a], [b]) => compareText(a, b)).map(([, changes]) => changes);
  return joinedChanges(all);
}

export function joinedChanges(all: readonly ConnectionChanges[]): ConnectionChanges {
  return {
    changes: all.flatMap(({ changes }) => changes),
    own: all.flatMap(({ own = [] }) => own),
    unrestricted: all.flatMap(({ unrestricted = [] }) => unrestricted),
    problems: [...new Set(all.flatMap(({ problems }) => problems))],
  };
}

/** Returns the changes between the earlier and the current state of a cluster; none if they are uncertain. */
export function connectionChangesIn(before: ComparedCluster, after: ComparedCluster): ConnectionChanges {
  const { scope } = after;
  const changes: ConnectionChange[] = [];
  const { isCut, unrestricted, own, unknownBy } = addChanges(before.cluster, after.cluster, scope, changes);
  const where = scope === '.' ? '' : ` in ${scope}`;
  const notCompared = [
    ...othersIn(before.cluster, after.cluster, where),
    ...(unknownBy === undefined
      ? []
      : [`Connections that policies of ${unknownBy}${where} leave unknown are not compared.`]),
  ];
  if (changes.length + own.length === 0 && !isCut) return { changes, problems: notCompared };
  if (rejectedIn(before.cluster) !== rejectedIn(after.cluster))
    return { changes: [], problems: [`The API server rejects a policy${where}: connections are not compared.`] };
  if (![before, after].every((each) => each.isKnown())) {
    const problems = [`Not all policies${where} are known: some connections are not compared.`];
    return { changes: changesInParts(before, after, changes), problems };
  }
  const problems = isCut ? ['Not all changed connections are listed.'] : [];
  return { changes, own, unrestricted, problems: [...problems, ...notCompared] };
}

/** Returns the problem that connections depend on policies of other systems, if there are any. */
function othersIn(before: Cluster, after: Cluster, where: string): readonly string[] {
  const [other] = [...after.others, ...before.others];
  if (other === undefined) return [];
  return [
    `${other.object.kind} policies${where} are not evaluated: connections of the pods that they select are unknown.`,
  ];
}

/** Returns the changes of a cluster that also occur in a part of it that is known. */
function changesInParts(
  before: ComparedCluster,
  after: ComparedCluster,
  changes: readonly ConnectionChange[],
): readonly ConnectionChange[] {
  if (before.parts === undefined || after.parts === undefined) return [];
  const parts = joined(changesByCluster(before.parts(), after.parts())).changes;
  const keyOf = ({ kind, from, to, ports }: ConnectionChange) => JSON.stringify([kind, from, to, ports]);
  const found = new Set(parts.map(keyOf));
  return changes.filter((each) => found.has(keyOf(each)));
}

/** Returns a text that identifies the policies that the API server rejects. */
function rejectedIn({ rejected }: Cluster): string {
  const names = rejected.map(({ where: { object } }) =>
    [object.kind, object.namespace?.text, object.name?.text].join(' '),
  );
  return names.toSorted().join('\n');
}

/** Peers that the policies of each tree do not distinguish from one another. */
interface Both {
  readonly before: PeerClass;
  readonly after: PeerClass;
  readonly names: readonly string[];
  /** Whether the peers have the same labels, namespace and ports in both trees. */
  readonly isSame: boolean;
}

/** The key of a workload, or of addresses, in the cluster of a scope. */
export function endKey({ scope, to }: Pick<ConnectionChange, 'scope' | 'to'>): string {
  return `${scope}\n${to}`;
}

interface AddedChanges {
  readonly isCut: boolean;
  readonly own: readonly ConnectionChange[];
  readonly unrestricted: readonly string[];
  /** The system whose policies leave connections unknown that may have changed. */
  readonly unknownBy?: string | undefined;
}

function addChanges(before: Cluster, after: Cluster, scope: string, changes: ConnectionChange[]): AddedChanges {
  if (before.policies.length === 0 && after.policies.length === 0) return { isCut: false, own: [], unrestricted: [] };
  const ends = [...commonWorkloads(before, after), ...commonAddresses(before.reachability, after.reachability)];
  // A connection depends on its two ends, the policies and the namespaces, and on no other workload.
  const areSamePolicies = rulesOf(before) === rulesOf(after);
  const same = areSamePolicies ? new Set(ends.filter(({ isSame }) => isSame)) : new Set<Both>();
  if (ends.length ** 2 - same.size ** 2 > maximumPairs) return { isCut: true, own: [], unrestricted: [] };
  const differenceOf = comparisonOf();
  const left = { opened: maximumChanges, closed: maximumChanges };
  const plugin = systemIn(before, after);
  const mayDiffer =
    plugin === undefined ? differingPairs(before.reachability, after.reachability, ends, same) : undefined;
  let compared = 0;
  let isCut = false;
  const own: ConnectionChange[] = [];
  let isUnknown = false;
  for (const [row, from] of ends.entries()) {
    for (const [column, to] of ends.entries()) {
      if (mayDiffer !== undefined && mayDiffer[row * ends.length + column] !== 1) continue;
      if (from.after.kind === 'addresses' && to.after.kind === 'addresses') continue;
      if (same.has(from) && same.has(to)) continue;
      if (++compared > maximumComparisons) {
        isCut = true;
        break;
      }
      const old = before.reachability.connections(from.before, to.before);
      const fresh = after.reachability.connections(from.after, to.after);
      const difference = differenceOf(old, fresh);
      isUnknown ||= difference.isUnknown;
      for (const { kind, ports } of difference.changes) {
        for (const source of from.names)
          for (const target of to.names) {
            if (source === target) own.push({ kind, from: source, to: target, ports, scope });
            else if (left[kind]-- > 0) changes.push({ kind, from: source, to: target, ports, scope });
            else isCut = true;
          }
      }
    }
  }
  const freed = ends.filter((end) => !same.has(end) && isFreed(before, after, end));
  const unrestricted = freed.flatMap(({ names }) => names.map((to) => endKey({ scope, to })));
  return { isCut, own, unrestricted, unknownBy: isUnknown ? plugin : undefined };
}

/** Marks the pairs of ends for which the decision of the policies at one of the ends differs between two trees, as rows of a table. */
function differingPairs(
  before: Reachability,
  after: Reachability,
  ends: readonly Both[],
  same: ReadonlySet<Both>,
): Uint8Array {
  const table = new Uint8Array(ends.length ** 2);
  // The connections at an end are identical objects for most of the other ends.
  const areEqual = memoized((was: Connections) =>
    memoized((is: Connections) => ({
      answer: areSameSets(was.allowed, is.allowed) && areSameSets(was.unknown, is.unknown),
    })),
  );
  const others = [...ends.entries()];
  for (const [row, subject] of others) {
    const compared = same.has(subject) ? others.filter(([, other]) => !same.has(other)) : others;
    for (const direction of ['egress', 'ingress'] as const)
      for (const [column, other] of compared) {
        const was = before.connectionsAt(subject.before, direction, other.before);
        const is = after.connectionsAt(subject.after, direction, other.after);
        if (areEqual(was)(is).answer) continue;
        const [from, to] = direction === 'egress' ? [row, column] : [column, row];
        table[from * ends.length + to] = 1;
      }
  }
  return table;
}

function areSameSets(one: PortSet, other: PortSet): boolean {
  return one.bounds.length === other.bounds.length && one.bounds.every((bound, at) => bound === other.bounds[at]);
}

/** The difference between the connections of two ends in two trees. */
interface Difference {
  readonly changes: readonly Pick<ConnectionChange, 'kind' | 'ports'>[];
  readonly isUnknown: boolean;
}

/** Returns a function that compares connections. Many ends have the same connections, whose difference is computed once. */
function comparisonOf(): (old: Connections, fresh: Connections) => Difference {
  const sets = new PortSets();
  // Whether Cilium supports SCTP depends on its settings, which policies do not change.
  const sctp = sets.range('SCTP');
  const inSets = memoized(({ allowed, unknown }: Connections): Connections => {
    return { allowed: sets.own(allowed), unknown: sets.own(unknown) };
  });
  const lost = (one: Connections, other: Connections, kind: ConnectionChange['kind']) => {
    const set = sets.difference(one.allowed, sets.union(other.allowed, other.unknown));
    return set === sets.none ? [] : [{ kind, ports: portsText(set) }];
  };
  const differences = memoized((was: Connections) =>
    memoized((is: Connections): Difference => {
      const [old, fresh] = [inSets(was), inSets(is)];
      return {
        changes: [...lost(old, fresh, 'closed'), ...lost(fresh, old, 'opened')],
        isUnknown: [old, fresh].some(({ unknown }) => sets.difference(unknown, sctp) !== sets.none),
      };
    }),
  );
  return (old, fresh) => differences(old)(fresh);
}

/** Returns the system of the policies that are evaluated, besides those of Kubernetes. */
function systemIn(...clusters: readonly Cluster[]): string | undefined {
  const policies = clusters.flatMap((each) => each.policies.filter(({ other }) => other === undefined));
  return policies.map(({ where }) => pluginOf(where.object)).find((system) => system !== undefined);
}

/** Whether policies apply to incoming connections of peers in the earlier state only. */
function isFreed(before: Cluster, after: Cluster, { before: old, after: fresh }: Both): boolean {
  if (old.kind === 'addresses' || fresh.kind === 'addresses') return false;
  const [was, is] = [before.reachability.policiesOn(old, 'ingress'), after.reachability.policiesOn(fresh, 'ingress')];
  return was.key !== '' && is.key === '';
}

/** Returns a string that is the same for models with the same policies and namespaces. */
function rulesOf({ reachability: { world }, policies }: Cluster): string {
  const rules = world.policies.flatMap(({ ingress, egress }) => [...ingress.rules, ...egress.rules]);
  // Versions of Cilium look up names of ports for egress among all pods.
  const isOfCilium = pluginsOf(world).has('Cilium');
  const dependsOnPods =
    isOfCilium && rules.some(({ ports }) => ports.some((port) => port.kind === 'name' && port.isOfEgress));
  // Parts that are not evaluated, such as rules for requests, may change, too.
  const contents = policies.map(({ where: { object } }) => object.networkSpec && policyData(object.networkSpec));
  return textOf([{ ...world, pods: dependsOnPods ? world.pods.map(({ ports }) => ports) : [] }, contents]);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
}

/** Returns the workloads that exist in both trees, grouped so that the policies of each tree do not distinguish the workloads of a group. */
function commonWorkloads(before: Cluster, after: Cluster): readonly Both[] {
  const old = new Map(before.workloads.map((workload, index) => [workloadName(workload), index]));
  const found = new Map<string, Both & { readonly names: string[]; isSame: boolean }>();
  for (const [index, workload] of after.workloads.entries()) {
    const name = workloadName(workload);
    const was = old.get(name) ?? -1;
    const [earlier, now] = [before.reachability.classOf(was), after.reachability.classOf(index)];
    if (earlier === undefined || now === undefined) continue;
    const key = `${earlier.place} ${now.place}`;
    const group = getOrAdd(found, key, () => ({ before: earlier, after: now, names: [], isSame: false }));
    group.names.push(name);
    // Then no member of the group changed for the policies, since they do not distinguish its members.
    group.isSame ||= textOf(before.reachability.world.pods[was]) === textOf(after.reachability.world.pods[index]);
  }
  return [...found.values()];
}

/** Returns the addresses outside of the cluster, divided at the boundaries of both trees. */
function commonAddresses(before: Reachability, after: Reachability): readonly Both[] {
  const cut = after.addressClasses.flatMap((now) =>
    before.addressClasses.map(
      (old): Both => ({
        before: old,
        after: now,
        names: namesOf(now.ranges, old.ranges),
        isSame: true,
      }),
    ),
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
