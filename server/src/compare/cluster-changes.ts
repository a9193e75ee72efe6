/** Compares the matches between the objects that GitOps objects apply to one cluster in two states of a workspace. */

import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { SelectorSite } from '../manifests/model.ts';
import { kindKey, outlineOf } from '../workspace/index/file-outline.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import type { ClusterLink, GitopsState, MatchInCluster, PlacedObject } from './gitops-state.ts';

/** A match in a cluster that certainly exists in one state, and certainly does not exist in the other. */
export interface ClusterChange {
  readonly kind: 'lost' | 'gained';
  readonly owner: PlacedEnd;
  /** The path of the selector in the catalogue, without list indexes. */
  readonly path: string;
  readonly target: PlacedEnd;
  /** The path of the template whose labels match; absent if the labels of the object itself match. */
  readonly via: string | undefined;
}

/** One of the objects of a match; it is absent in a state in which no GitOps object applies it to the cluster. */
export interface PlacedEnd {
  readonly before?: PlacedObject;
  readonly now?: PlacedObject;
}

/** The changed matches in clusters, and what was not compared. */
export interface ClusterChanges {
  readonly changes: readonly ClusterChange[];
  /** Whether there are too many matches to compare all of them. */
  readonly isIncomplete: boolean;
  /** The GitOps objects whose objects are unknown in one of the states. */
  readonly unknown: readonly Scope[];
  /** The GitOps objects with changed objects in whose cluster not all objects of the other GitOps objects are known. */
  readonly uncompared: readonly Scope[];
}

/** The maximum number of objects and matches that are compared. */
const maximumComparisons = 400_000;

/** The number of other GitOps objects of a cluster in which looking for the matches of an object takes as much work as a comparison. */
const scopesPerComparison = 4;

/** A direction of the comparison: finds what only one of the states contains. */
interface Direction {
  readonly kind: ClusterChange['kind'];
  readonly state: GitopsState;
  readonly other: GitopsState;
  /** The keys that the clusters of the state have in the other state. */
  readonly pairs: ReadonlyMap<string, string>;
}

/** A comparison of the GitOps objects of two states. */
export class ClusterComparison {
  readonly #directions: readonly Direction[];
  readonly #unknown = new Map<string, Scope>();
  readonly #listed = new Set<string>();
  #left = maximumComparisons;

  constructor(before: GitopsState, now: GitopsState) {
    const pairs = pairsOf(before, now);
    const reversed = new Map([...pairs].map(([one, other]) => [other, one]));
    this.#directions = [
      { kind: 'lost', state: before, other: now, pairs },
      { kind: 'gained', state: now, other: before, pairs: reversed },
    ];
  }

  /** Returns the changed matches. `isAffected` determines whether the objects of a scope may differ between the states. */
  changes(isAffected: (scope: Scope) => boolean): ClusterChanges {
    if (this.#directions.every(({ state }) => state.scopes.size === 0)) return noChanges;
    const differing = this.#directions.map((each) => [each, this.#differing(each, isAffected)] as const);
    const areNamespaces =
      differing.some(([, objects]) => objects.some(isNamespace)) ||
      new Set(this.#directions.map(({ state }) => state.writtenNamespaces())).size > 1;
    const changes = differing.flatMap(([each, objects]) => [
      ...this.#changesIn(each, this.#links(each.state, objects, areNamespaces)),
    ]);
    const uncompared = new Map<string, Scope>();
    for (const [{ state }, objects] of differing)
      for (const scope of new Set(objects.map((each) => each.scope)))
        if (!state.isClusterKnown(scope)) uncompared.set(state.keyOf(scope), scope);
    return {
      changes: withoutCopies(changes),
      isIncomplete: this.#left < 0,
      unknown: [...this.#unknown.values()],
      uncompared: [...uncompared.values()],
    };
  }

  /** Returns the objects of a state that differ from those of the other state, or that are in different clusters. */
  #differing({ state, other, pairs }: Direction, isAffected: (scope: Scope) => boolean): readonly PlacedObject[] {
    const found: PlacedObject[] = [];
    for (const [key, scope] of state.scopes) {
      const clusters = state.clustersOf(scope);
      const there = other.scopes.get(key);
      const isSamePlace = there !== undefined && areEqual(clusters, other.clustersOf(there), pairs);
      if (isSamePlace && !isAffected(scope) && !isAffected(there)) continue;
      if (!state.isBuilt(scope) || (there !== undefined && !other.isBuilt(there))) {
        this.#unknown.set(key, scope);
        continue;
      }
      const others = there && other.objectsIn(there);
      for (const [identity, objects] of state.objectsIn(scope))
        if (!isSamePlace || outlinesOf(objects) !== outlinesOf(others?.get(identity) ?? [])) found.push(...objects);
    }
    return found;
  }

  /** Returns the certain matches of some objects; with `areNamespaces`, also those that depend on the labels of namespaces. */
  #links(state: GitopsState, objects: readonly PlacedObject[], areNamespaces: boolean): readonly ClusterLink[] {
    const found: ClusterLink[] = [];
    const take = (links: readonly ClusterLink[]) => {
      this.#left -= links.length + 1;
      for (const link of links) if (link.certain) found.push(link);
    };
    for (const each of objects) {
      this.#left -= Math.ceil(state.comparedWith(each) / scopesPerComparison);
      if (this.#left < 0) return found;
      take(state.matchesOf(each));
      take(state.selectingObjectsOf(each));
      take(state.ownMatchesOf(each));
      take(state.ownSelectingObjectsOf(each));
    }
    if (!areNamespaces) return found;
    for (const scope of state.scopes.values())
      for (const each of [...state.objectsIn(scope).values()].flat()) {
        if (this.#left < 0) return found;
        if (each.object.selectorSites.some(selectsNamespaces))
          take([...state.matchesOf(each), ...state.ownMatchesOf(each)]);
      }
    return found;
  }

  /** Yields the certain matches of one state that do not exist in the other, at most one for each cluster. */
  *#changesIn(direction: Direction, links: readonly ClusterLink[]): Iterable<ClusterChange> {
    const { kind, state, other, pairs } = direction;
    for (const match of links) {
      const { owner, path, target, via } = match;
      const shared = state.clustersOf(target.scope);
      for (const cluster of state.clustersOf(owner.scope)) {
        const key = keyOf(kind, cluster, match);
        if (!shared.includes(cluster) || this.#listed.has(key)) continue;
        this.#listed.add(key);
        if (this.#mayExist(direction, cluster, match)) continue;
        const there = pairs.get(cluster);
        const find = (end: PlacedObject) => (there === undefined ? undefined : other.find(there, end)[0]);
        const [one, two] = [find(owner), find(target)];
        // If both objects of a match were deleted, the match is not reported as lost.
        if (kind === 'lost' && one === undefined && two === undefined) continue;
        yield { kind, owner: endOf(kind, owner, one), path, target: endOf(kind, target, two), via };
      }
    }
  }

  /** Whether a match in a cluster of one state may exist in the other state. */
  #mayExist(direction: Direction, cluster: string, match: MatchInCluster): boolean {
    const { state, other, pairs } = direction;
    const there = pairs.get(cluster);
    if (there === undefined) return false;
    if (other.isMatched(there, match)) return true;
    return [match.owner, match.target].some((end) => {
      if (other.find(there, end).length > 0) return false;
      return this.#isOpen(direction, there) || state.find(cluster, end).some((each) => other.isUnreadable(each, state));
    });
  }

  /** Whether objects may only seem to be absent from a cluster of the other state, because the objects of a GitOps object are unknown only there. */
  #isOpen({ state, other }: Direction, cluster: string): boolean {
    const unknown = (other.clusters.get(cluster) ?? []).filter((scope) => {
      const here = state.scopes.get(other.keyOf(scope));
      return !other.isBuilt(scope) && (here === undefined || state.isBuilt(here));
    });
    for (const scope of unknown) this.#unknown.set(other.keyOf(scope), scope);
    return unknown.length > 0;
  }
}

const noChanges: ClusterChanges = { changes: [], isIncomplete: false, unknown: [], uncompared: [] };

/** Returns the clusters of two states that correspond to each other: clusters with the same key, and the only other cluster of each state. */
function pairsOf(before: GitopsState, now: GitopsState): ReadonlyMap<string, string> {
  const [old, fresh] = [[...before.clusters.keys()], [...now.clusters.keys()]];
  const pairs = new Map(old.flatMap((key) => (now.clusters.has(key) ? [[key, key] as const] : [])));
  const [left, right] = [old.filter((key) => !pairs.has(key)), fresh.filter((key) => !pairs.has(key))];
  const [one, other] = [left[0], right[0]];
  if (one !== undefined && other !== undefined && left.length + right.length === 2) pairs.set(one, other);
  return pairs;
}

function areEqual(some: readonly string[], others: readonly string[], pairs: ReadonlyMap<string, string>): boolean {
  return some.length === others.length && some.every((each) => others.includes(pairs.get(each) ?? ''));
}

function keyOf(kind: ClusterChange['kind'], cluster: string, { owner, path, target, via }: MatchInCluster): string {
  return JSON.stringify([kind, cluster, owner.identity, path, target.identity, via]);
}

function outlinesOf(objects: readonly PlacedObject[]): string {
  return objects
    .map(({ object }) => outlineOf(object))
    .toSorted()
    .join('\n');
}

function isNamespace({ object }: PlacedObject): boolean {
  return labeledObjectsOf(object).some(({ target }) => kindKey(target) === '/Namespace');
}

function selectsNamespaces({ fact: { reach } }: SelectorSite): boolean {
  return typeof reach !== 'string' && reach.namespaceSelectorAt !== undefined;
}

function endOf(kind: ClusterChange['kind'], end: PlacedObject, other: PlacedObject | undefined): PlacedEnd {
  const [before, now] = kind === 'lost' ? [end, other] : [other, end];
  return { ...(before && { before }), ...(now && { now }) };
}

/** Returns the changes without those of the same objects in several clusters. */
function withoutCopies(changes: readonly ClusterChange[]): readonly ClusterChange[] {
  const found = new Map<string, ClusterChange>();
  const textOf = ({ before, now }: PlacedEnd) =>
    [before, now].map((each) => each && `${each.scope.kind} ${each.scope.path} ${each.identity}`);
  for (const each of changes) {
    const { kind, owner, path, target, via } = each;
    const key = JSON.stringify([kind, textOf(owner), path, textOf(target), via]);
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}
