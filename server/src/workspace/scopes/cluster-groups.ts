/** Groups scopes by the clusters to which GitOps objects certainly apply their objects. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ClusterGroup, Scope } from './model.ts';

/** A cluster: the number of a scope, or a file, whose objects are applied to it or, if there are configurations, to the cluster from which the configurations lead to it. */
export type ClusterName = readonly [owner: number | string, remote: readonly string[]];

interface Group {
  readonly name: ClusterName;
  readonly numbers: ReadonlySet<number>;
}

/** Returns the largest sets of scopes that certainly share a cluster; `namesOf` returns the names of the clusters of a GitOps object, as JSON. */
export function clusterGroups(
  scopes: readonly Scope[],
  namesOf: (number: number) => ReadonlySet<string>,
): readonly ClusterGroup[] {
  // Objects that apply each other share one set of names, whose names then share one set of members.
  const byNames = new Map<ReadonlySet<string>, Set<number>>();
  for (const [number, { gitops }] of scopes.entries())
    if (gitops !== undefined) getOrAdd(byNames, namesOf(number), () => new Set()).add(number);
  const members = new Map<string, ReadonlySet<number>>();
  const added = new Map<string, Set<number>>();
  const addTo = (name: string, numbers: Iterable<number>) => {
    const own = getOrAdd(added, name, () => new Set(members.get(name)));
    for (const number of numbers) own.add(number);
    members.set(name, own);
  };
  for (const [names, numbers] of byNames)
    for (const name of names) {
      if (members.has(name)) addTo(name, numbers);
      else members.set(name, numbers);
    }
  const groups = [...members].map(([key, numbers]): Group => {
    const name: ClusterName = JSON.parse(key);
    const [owner, remote] = name;
    // The objects next to the definitions are applied to the cluster of the definitions.
    if (typeof owner === 'number' && remote.length === 0 && !numbers.has(owner)) addTo(key, [owner]);
    return { name, numbers: members.get(key) ?? numbers };
  });
  const { largest, around } = largestOf(groups);
  return largest.map((group) => {
    const own = [...group.numbers].toSorted((a, b) => a - b);
    const leading = own.find((number) => around.get(number)?.length === 1) ?? own[0];
    return groupOf(scopes, group.name, own, leading);
  });
}

/** Returns the groups that no other group contains, and among these the groups of each number. */
function largestOf(groups: readonly Group[]) {
  const around = new Map<number, Group[]>();
  const largest: Group[] = [];
  // A cluster keeps its name if all of its GitOps objects but one are removed from it.
  const order = (a: Group, b: Group) => b.numbers.size - a.numbers.size || Number(isAlone(a)) - Number(isAlone(b));
  for (const group of groups.toSorted(order)) {
    const [first = -1] = group.numbers;
    const isWithin = ({ numbers }: Group) =>
      numbers === group.numbers || [...group.numbers].every((each) => numbers.has(each));
    const isContained = around.get(first)?.some(isWithin);
    if (isContained) continue;
    for (const number of group.numbers) getOrAdd(around, number, () => []).push(group);
    largest.push(group);
  }
  return { largest, around };
}

/** Whether a group contains only the GitOps object after which it is named. */
function isAlone({ name: [owner, remote], numbers }: Group): boolean {
  return numbers.size === 1 && typeof owner === 'number' && remote.length === 0;
}

function groupOf(
  scopes: readonly Scope[],
  [owner, remote]: ClusterName,
  numbers: readonly number[],
  leading = -1,
): ClusterGroup {
  const definer = typeof owner === 'number' ? scopes[owner] : undefined;
  const path = definer?.path ?? `${owner}`;
  const named = remote.length === 0 && definer !== undefined ? definer : scopes[leading];
  return {
    key: [path, ...remote].join('\n'),
    path: named?.path ?? path,
    scopes: new Set(numbers.flatMap((number) => scopes[number] ?? [])),
  };
}
