/** Evaluates the selectors of objects in one state of a workspace, and finds the matches that only one of two states contains. All comparisons of states use it. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { getOrAdd, once } from '../engine/memoize.ts';
import type { SelectorSite } from '../manifests/model.ts';
import type { ObjectInFile, Workspace } from '../workspace/model.ts';
import type { Comparisons } from '../workspace/selection/comparison-budget.ts';
import type { Selection } from '../workspace/selection/model.ts';
import { selectionOf } from '../workspace/selection/selection.ts';

/** An object that a selector matches, or may match. `T` is the object as a comparison refers to it. */
interface Target<T> {
  readonly target: T;
  /** The identity of the object, which is the same in both states. */
  readonly key: string;
  /** The path of the template whose labels match; absent if the labels of the object itself match. */
  readonly via: string | undefined;
  readonly certain: boolean;
}

/** The matching objects, by object and template. Equal selectors may share one map, so that thousands of equal selectors are compared only once. */
export type Targets<T> = ReadonlyMap<string, Target<T>>;

/** The matches of the selectors at one path of an object. */
interface Matches<T> {
  readonly owner: T;
  readonly ownerKey: string;
  /** The path of the selectors in the catalogue, without list indexes. */
  readonly path: string;
  readonly targets: Targets<T>;
}

/** A match between a selector and an object in one state. */
export interface Match<T> extends Omit<Matches<T>, 'targets'>, Omit<Target<T>, 'key'> {
  readonly targetKey: string;
}

/** A certain match that only one of two states contains. */
export interface ChangedMatch<T> extends Omit<Match<T>, 'certain'> {
  /** `lost`: only the older state contains the match. `gained`: only the newer state contains it. */
  readonly kind: 'lost' | 'gained';
}

/** Returns the targets by object and template; of two entries for one object, the certain one is kept. */
function targetMap<T>(targets: Iterable<Target<T>>): Targets<T> {
  const map = new Map<string, Target<T>>();
  for (const each of targets) put(map, each);
  return map;
}

function put<T>(targets: Map<string, Target<T>>, each: Target<T>): void {
  const key = `${each.key}\n${each.via ?? ''}`;
  if (targets.get(key)?.certain !== true) targets.set(key, each);
}

/** Returns the matches of a selection as targets; without those for which `targetOf` returns undefined. */
export function targetsIn<T>(
  { matches, maybe }: Selection,
  targetOf: (where: ObjectInFile) => { readonly target: T; readonly key: string } | undefined,
): Targets<T> {
  const certain = new Set(matches);
  return targetMap(
    [...matches, ...maybe].flatMap((match) => {
      const found = targetOf(match);
      return found === undefined ? [] : { ...found, via: match.labeledObject.via, certain: certain.has(match) };
    }),
  );
}

/** The matches of the selectors at one path of an object, while they are collected. */
interface Collected<T> extends Omit<Matches<T>, 'targets'> {
  /** The maps of selections, which equal selectors may share. */
  readonly shared: Set<Targets<T>>;
  /** The matches that were added one by one. */
  readonly single: Map<string, Target<T>>;
}

/** The matches of some objects in one state. */
export class StateMatches<T> {
  readonly #comparisons: Comparisons;
  readonly #found = new Map<string, Collected<T>>();
  readonly #leftOut = new Set<string>();
  /** The keys of objects of which one scope contains several, so that it is unknown which of them are compared. */
  readonly doubled: ReadonlySet<string>;

  constructor(comparisons: Comparisons, doubled: ReadonlySet<string> = new Set()) {
    this.#comparisons = comparisons;
    this.doubled = doubled;
  }

  /** Evaluates the selectors of an object. The selector by which a workload finds its own pods matches only these, whatever else it selects. */
  addSelectorsOf(
    owner: T,
    ownerKey: string,
    { where, workspace, catalogue }: { where: ObjectInFile; workspace: Workspace; catalogue: Catalogue },
    targetsOf: (selection: Selection, site: SelectorSite) => Targets<T>,
  ): void {
    for (const site of where.object.selectorSites) {
      if (isRestricted(site)) continue;
      const { path } = site.fact;
      if (this.#comparisons.leaveOut()) {
        this.#leftOut.add(keyOf(ownerKey, path));
        continue;
      }
      const targets = targetsOf(selectionOf(workspace, catalogue, where, site, this.#comparisons), site);
      const meant = site.fact.mustMatchTemplate ? onlyOwn(targets, ownerKey) : targets;
      if (meant.size > 0) this.#at({ owner, ownerKey, path }).shared.add(meant);
    }
  }

  /** Adds a match that was found from the object that is selected. */
  add({ owner, ownerKey, path, targetKey: key, ...target }: Match<T>): void {
    put(this.#at({ owner, ownerKey, path }).single, { ...target, key });
  }

  #at(selector: Omit<Matches<T>, 'targets'>): Collected<T> {
    const key = keyOf(selector.ownerKey, selector.path);
    return getOrAdd(this.#found, key, () => ({ ...selector, shared: new Set(), single: new Map() }));
  }

  /** The keys of the selectors whose matches are unknown, because the limit on comparisons was reached. */
  get leftOut(): ReadonlySet<string> {
    this.all();
    return this.#leftOut;
  }

  /** Returns the matches, by the object that contains the selector and the path of the selector. Nothing may be added afterwards. */
  readonly all = once((): ReadonlyMap<string, Matches<T>> => {
    const joined = new Map<string, Matches<T>>();
    for (const [key, { shared, single, ...rest }] of this.#found) {
      const [first = single, ...others] = single.size > 0 ? [...shared, single] : shared;
      const size = others.reduce((sum, each) => sum + each.size, 0);
      if (size > 0 && this.#comparisons.leaveOut()) this.#leftOut.add(key);
      this.#comparisons.add(size);
      if (this.#leftOut.has(key)) continue;
      const targets = others.length === 0 ? first : targetMap([first, ...others].flatMap((each) => [...each.values()]));
      joined.set(key, { ...rest, targets });
    }
    return joined;
  });

  *[Symbol.iterator](): Iterator<Match<T>> {
    for (const { targets, ...rest } of this.all().values())
      for (const { key: targetKey, ...target } of targets.values()) yield { ...rest, ...target, targetKey };
  }
}

/** Returns the certain matches that only one of two states contains. Selectors whose matches are unknown in one of them, and objects of which there are several, are omitted. */
export function changedMatches<T>(old: StateMatches<T>, fresh: StateMatches<T>): readonly ChangedMatch<T>[] {
  const missing = missingTargets<T>();
  return [...matchesOnlyIn('lost', old, fresh, missing), ...matchesOnlyIn('gained', fresh, old, missing)];
}

function* matchesOnlyIn<T>(
  kind: ChangedMatch<T>['kind'],
  state: StateMatches<T>,
  other: StateMatches<T>,
  missing: ReturnType<typeof missingTargets<T>>,
): Iterable<ChangedMatch<T>> {
  const areDoubled = (key: string) => state.doubled.has(key) || other.doubled.has(key);
  for (const [key, { owner, ownerKey, path, targets }] of state.all()) {
    if (state.leftOut.has(key) || other.leftOut.has(key) || areDoubled(ownerKey)) continue;
    for (const each of missing(targets, other.all().get(key)?.targets ?? noTargets))
      if (!areDoubled(each.key))
        yield { kind, owner, ownerKey, path, target: each.target, targetKey: each.key, via: each.via };
  }
}

const noTargets: Targets<never> = new Map();

/** Returns a function that finds the certain matches in one map that another map lacks. The result is cached for each pair of maps. */
function missingTargets<T>(): (targets: Targets<T>, others: Targets<T>) => readonly Target<T>[] {
  const known = new Map<Targets<T>, Map<Targets<T>, readonly Target<T>[]>>();
  return (targets, others) =>
    getOrAdd(
      getOrAdd(known, targets, () => new Map<Targets<T>, readonly Target<T>[]>()),
      others,
      () => [...targets].flatMap(([key, each]) => (each.certain && !others.has(key) ? [each] : [])),
    );
}

/** Returns a key for a match that is the same in both states. */
export function matchKey({ ownerKey, path, targetKey, via }: Omit<Match<unknown>, 'certain'>): string {
  return [ownerKey, path, targetKey, via ?? ''].join('\n\n');
}

/** Whether a changed match is news, if its objects are or are not in the other state. */
export function isNews(
  { kind, ownerKey, targetKey }: Pick<ChangedMatch<unknown>, 'kind' | 'ownerKey' | 'targetKey'>,
  areInOther: { readonly owner: boolean; readonly target: boolean },
): boolean {
  // If both objects of a match were deleted, the match is not reported as lost.
  if (kind === 'lost' && !areInOther.owner && !areInOther.target) return false;
  // A workload that is new or deleted need not be reported as one that selects its own pods.
  return ownerKey !== targetKey || areInOther.owner;
}

function onlyOwn<T>(targets: Targets<T>, ownerKey: string): Targets<T> {
  return new Map([...targets].filter(([, { key }]) => key === ownerKey));
}

function keyOf(ownerKey: string, path: string): string {
  return `${ownerKey}\n${path}`;
}

/** Whether other fields restrict the kinds that the selector selects, such as the `rules` of a webhook. These fields are not evaluated. */
export function isRestricted({ fact }: SelectorSite): boolean {
  return fact.targets.some(({ kind }) => kind === '*');
}

/** Whether the matches of a selector are not compared with other objects: a workload uses the selector to find its own pods, or not all matches are certain. */
export function isOmitted(site: SelectorSite): boolean {
  return site.fact.mustMatchTemplate || isRestricted(site);
}
