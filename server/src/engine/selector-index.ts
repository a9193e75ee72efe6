/** An index of many selectors that finds the selectors that may match a label set. */

import { allowsAbsence, evaluate } from './evaluate.ts';
import { type IndexedMatch, requiredValues } from './label-index.ts';
import { getOrAdd } from './memoize.ts';
import { RequirementIndex } from './requirement-index.ts';
import { addTo, countOf, itemsOf, removeFrom, type SmallSet, takeOut, withItem, withoutItem } from './small-set.ts';
import type { LabelSet, Requirement, Selector } from './types.ts';

/** One search result, whose answer is *yes* or *maybe*, with its selector. */
export interface FoundSelector<Id> extends IndexedMatch<Id> {
  readonly selector: Selector;
}

/** Many selectors, each stored under an id. A selector object that is added again is evaluated once for all its ids. Each selector is stored by its most selective requirement: under the values that a key must have, otherwise under a key that must be present, otherwise among the selectors that any label set may satisfy. */
export class SelectorIndex<Id> {
  readonly #fileOf: (id: Id) => string;
  readonly #entries = new Map<Selector, Entry<Id>>();
  readonly #byId = new Map<Id, Entry<Id>>();
  readonly #keys = new Map<string, Posting<Id>>();
  readonly #anywhere = new Set<Entry<Id>>();
  /** The selectors by the keys of their requirements; built lazily, because few callers need it. */
  #requirements: RequirementIndex<Entry<Id>> | undefined;

  /** Creates an index of selectors in files. Without `fileOf`, all of them belong to the file with an empty name. */
  constructor(fileOf: (id: Id) => string = () => '') {
    this.#fileOf = fileOf;
  }

  /** Adds a selector under an id, replacing any previous selector with this id. */
  add(id: Id, selector: Selector): void {
    this.remove(id);
    if (selector.kind === 'nothing') return;
    const entry = getOrAdd(this.#entries, selector, () => this.#enter(selector));
    entry.ids.push(id);
    entry.byFile = undefined;
    this.#byId.set(id, entry);
  }

  #enter(selector: Selector): Entry<Id> {
    const decisive = selector.kind === 'all' ? this.#decisive(selector.requirements) : undefined;
    const entry: Entry<Id> = { ids: [], byFile: undefined, selector, decisive };
    this.#requirements?.add(entry);
    if (decisive === undefined) {
      this.#anywhere.add(entry);
      return entry;
    }
    const posting = getOrAdd(this.#keys, decisive.key, newPosting<Id>);
    posting.size++;
    const values = requiredValues(decisive);
    if (values === undefined) posting.anyValue = withItem(posting.anyValue, entry);
    else for (const value of values) addTo(posting.byValue, value, entry);
    return entry;
  }

  remove(id: Id): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    takeOut(entry.ids, id);
    entry.byFile = undefined;
    if (entry.ids.length === 0) this.#leave(entry);
  }

  /** The number of ids with a selector that may match something. */
  get size(): number {
    return this.#byId.size;
  }

  #leave(entry: Entry<Id>): void {
    const { selector, decisive } = entry;
    this.#entries.delete(selector);
    this.#requirements?.remove(entry);
    this.#anywhere.delete(entry);
    if (decisive === undefined) return;
    const posting = this.#keys.get(decisive.key);
    if (posting === undefined) return;
    posting.anyValue = withoutItem(posting.anyValue, entry);
    for (const value of requiredValues(decisive) ?? []) removeFrom(posting.byValue, value, entry);
    if (--posting.size === 0) this.#keys.delete(decisive.key);
  }

  /** Returns the selector under an id; undefined for a selector that matches nothing. */
  get(id: Id): Selector | undefined {
    return this.#byId.get(id)?.selector;
  }

  /** Returns the selectors that match the label set or may match it, in no particular order; only those whose ids belong to the files `within`, if they are given. */
  find(labelSet: LabelSet, within?: ReadonlySet<string>): FoundSelector<Id>[] {
    const found: FoundSelector<Id>[] = [];
    for (const entries of this.#mayMatch(labelSet)) {
      for (const { entry, ids, answer } of matching(entries, labelSet, (each) => this.#wantedIds(each, within)))
        for (const id of ids) found.push({ id, answer, selector: entry.selector });
    }
    return found;
  }

  /** Like `find`, but yields the selectors one after another: thousands may match, and a caller may need only one. */
  *each(labelSet: LabelSet, within?: ReadonlySet<string>): Iterable<FoundSelector<Id>> {
    for (const entries of this.#mayMatch(labelSet)) {
      for (const { entry, ids, answer } of matching(entries, labelSet, (each) => this.#wantedIds(each, within)))
        for (const id of ids) yield { id, answer, selector: entry.selector };
    }
  }

  /** Yields lists of the selectors that may match a label set. No selector is in two of them: each is stored once, and each key has one value. */
  *#mayMatch(labelSet: LabelSet): Iterable<Iterable<Entry<Id>>> {
    const { labels, open, changeable } = labelSet;
    if (open || changeable?.includes('*')) {
      yield this.#entries.values();
      return;
    }
    if (changeable !== undefined) {
      const others = { labels: labelSet.labels };
      const known = new Set(this.find(others).map(({ id }) => this.#byId.get(id)));
      const concerned = changeable.flatMap((key) => [...this.#requirementIndex().having(key, [])]);
      yield new Set([...concerned, ...known].filter((entry) => entry !== undefined));
      return;
    }
    yield this.#anywhere;
    for (const key of Object.keys(labels)) {
      const posting = this.#keys.get(key);
      if (posting === undefined) continue;
      const value = labels[key];
      if (typeof value === 'string') {
        yield itemsOf(posting.byValue.get(value));
        yield itemsOf(posting.anyValue);
      } else yield allOf(posting);
    }
  }

  #wantedIds(entry: Entry<Id>, within: ReadonlySet<string> | undefined): readonly Id[] {
    return within === undefined ? entry.ids : this.#idsWithin(entry, within);
  }

  /** Returns the ids of an entry in some files: thousands of files may contain one selector. */
  #idsWithin(entry: Entry<Id>, within: ReadonlySet<string>): readonly Id[] {
    const { ids } = entry;
    if (ids.length <= within.size) return ids.filter((id) => within.has(this.#fileOf(id)));
    entry.byFile ??= this.#groupByFile(ids);
    const found: Id[] = [];
    for (const uri of within) for (const id of entry.byFile.get(uri) ?? []) found.push(id);
    return found;
  }

  #groupByFile(ids: readonly Id[]): ReadonlyMap<string, readonly Id[]> {
    const byFile = new Map<string, Id[]>();
    for (const id of ids) getOrAdd(byFile, this.#fileOf(id), () => []).push(id);
    return byFile;
  }

  /**
   * Returns the ids of the selectors with a requirement on a key, in no particular order. If `values` is not empty,
   * returns only selectors whose requirement lists one of the values, and selectors whose requirement is not an
   * equality or inequality with known values, if `alsoConcerns` returns true for this requirement.
   */
  having(key: string, values: readonly string[], alsoConcerns?: (requirement: Requirement) => boolean): readonly Id[] {
    return [...this.#requirementIndex().having(key, values, alsoConcerns)].flatMap(({ ids }) => ids);
  }

  #requirementIndex(): RequirementIndex<Entry<Id>> {
    if (this.#requirements === undefined) {
      this.#requirements = new RequirementIndex();
      for (const entry of this.#entries.values()) this.#requirements.add(entry);
    }
    return this.#requirements;
  }

  /** Returns the most selective requirement: a requirement with few values that few selectors share so far. */
  #decisive(requirements: readonly Requirement[]): Requirement | undefined {
    const [only] = requirements;
    if (only !== undefined && requirements.length === 1) return allowsAbsence(only) ? undefined : only;
    let best: Requirement | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const requirement of requirements) {
      if (allowsAbsence(requirement)) continue;
      const cost = this.#costOf(requirement);
      if (cost >= bestCost) continue;
      best = requirement;
      bestCost = cost;
    }
    return best;
  }

  #costOf(requirement: Requirement): number {
    const posting = this.#keys.get(requirement.key);
    const values = requiredValues(requirement);
    if (values === undefined) return keyCost + (posting?.size ?? 0);
    let cost = 0;
    for (const value of values) cost += 1 + countOf(posting?.byValue.get(value));
    return cost;
  }
}

interface Entry<Id> {
  readonly ids: Id[];
  /** The ids by their files; built lazily. */
  byFile?: ReadonlyMap<string, readonly Id[]> | undefined;
  readonly selector: Selector;
  /**
   * The requirement under whose key, and values if they are known, the selector is stored; absent if any label set may
   * satisfy the selector.
   */
  readonly decisive: Requirement | undefined;
}

interface Posting<Id> {
  /** The number of selectors stored under the key. */
  size: number;
  readonly byValue: Map<string, SmallSet<Entry<Id>>>;
  /** Selectors that only require the key, or require unknown values. */
  anyValue: SmallSet<Entry<Id>>;
}

/** A key is less selective than a value: a value is preferred until this many selectors share it. */
const keyCost = 1000;

function newPosting<Id>(): Posting<Id> {
  return { size: 0, byValue: new Map(), anyValue: undefined };
}

/** Returns all entries of a key, without duplicates: a selector that requires one of several values is stored under each of them. */
function allOf<Id>({ byValue, anyValue }: Posting<Id>): ReadonlySet<Entry<Id>> {
  const all = new Set(itemsOf(anyValue));
  for (const set of byValue.values()) for (const entry of itemsOf(set)) all.add(entry);
  return all;
}

/** Yields the entries that match the label set, or may match it, with their wanted ids. */
function* matching<Id>(
  entries: Iterable<Entry<Id>>,
  labelSet: LabelSet,
  wantedIds: (entry: Entry<Id>) => readonly Id[],
): Iterable<{ readonly entry: Entry<Id>; readonly ids: readonly Id[]; readonly answer: 'yes' | 'maybe' }> {
  for (const entry of entries) {
    const ids = wantedIds(entry);
    const answer = ids.length === 0 ? 'no' : evaluate(entry.selector, labelSet);
    if (answer !== 'no') yield { entry, ids, answer };
  }
}
