/** An index of many label sets that finds the label sets that a selector may match. */

import { compile } from './compile.ts';
import { allowsAbsence, evaluate } from './evaluate.ts';
import { addTo, countOf, itemsOf, removeFrom, type SmallSet, withItem, withoutItem } from './small-set.ts';
import type { Answer, LabelSet, Requirement, Selector, Value } from './types.ts';

/** One search result, whose answer is *yes* or *maybe*. */
export interface IndexedMatch<Id> {
  readonly id: Id;
  readonly answer: Exclude<Answer, 'no'>;
}

/** One search result, with its label set. */
export interface FoundLabels<Id> extends IndexedMatch<Id> {
  readonly labelSet: LabelSet;
}

/** Many label sets, each stored under an id. For every key that has been looked up, the index contains the entries that have the key, by value. A label set with an unknown value, or an open label set, is found whenever it may match. */
export class LabelIndex<Id> {
  readonly #entries = new Map<Id, Entry<Id>>();
  /** The entries of each key that was looked up. They are collected lazily, because most keys are never looked up. */
  readonly #keys = new Map<string, Posting<Id>>();
  /** The posting of every key that no label set has, such as a misspelled key. */
  readonly #none: Posting<Id> = { size: 0, byValue: new Map(), unknown: undefined };
  /** The number of label sets with each key; counted lazily. */
  #keyCounts: Map<string, number> | undefined;
  readonly #open = new Set<Entry<Id>>();

  /** Adds a label set under an id, replacing any previous label set with this id. */
  add(id: Id, labelSet: LabelSet): void {
    this.remove(id);
    const labels = labelSet.open ? undefined : knownLabels(labelSet);
    const entry: Entry<Id> = { id, labelSet, labels };
    this.#entries.set(id, entry);
    if (labelSet.open) this.#open.add(entry);
    if (this.#keys.size > 0) {
      for (const key of Object.keys(labelSet.labels)) putInto(this.#keys.get(key), labelSet.labels[key], entry);
    }
    if (this.#keyCounts !== undefined) count(this.#keyCounts, labelSet, 1);
  }

  remove(id: Id): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#open.delete(entry);
    for (const [key, value] of Object.entries(entry.labelSet.labels)) {
      const posting = this.#keys.get(key);
      if (posting === undefined) continue;
      takeFrom(posting, value, entry);
      if (posting.size === 0) this.#keys.delete(key);
    }
    if (this.#keyCounts !== undefined) count(this.#keyCounts, entry.labelSet, -1);
  }

  #postingOf(key: string): Posting<Id> {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (!this.hasKey(key)) return this.#none;
    const posting: Posting<Id> = { size: 0, byValue: new Map(), unknown: undefined };
    this.#keys.set(key, posting);
    for (const entry of this.#entries.values()) {
      const { labels } = entry.labelSet;
      if (Object.hasOwn(labels, key)) putInto(posting, labels[key], entry);
    }
    return posting;
  }

  /** Returns the label set under an id; undefined if there is none. */
  get(id: Id): LabelSet | undefined {
    return this.#entries.get(id)?.labelSet;
  }

  /** Returns the label sets that the selector matches or may match, in no particular order. */
  find(selector: Selector): FoundLabels<Id>[] {
    return [...this.labelSets(selector)];
  }

  /** Yields the label sets that `find` returns, one at a time. */
  *labelSets(selector: Selector): Iterable<FoundLabels<Id>> {
    const matcher = this.#entries.size > fewEntries && isKnownSelector(selector) ? compile(selector) : undefined;
    for (const entries of this.#candidates(selector)) {
      for (const { id, labelSet, labels } of entries) {
        if (matcher !== undefined && labels) {
          if (matcher.matches(labels)) yield { id, answer: 'yes', labelSet };
          continue;
        }
        const answer = evaluate(selector, labelSet);
        if (answer !== 'no') yield { id, answer, labelSet };
      }
    }
  }

  /** The number of label sets. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether at least one label set has a key. */
  hasKey(key: string): boolean {
    return this.#countedKeys().has(key);
  }

  /** Returns every key, with the number of label sets that have the key. */
  keyCounts(): Iterable<readonly [key: string, count: number]> {
    return this.#countedKeys();
  }

  #countedKeys(): ReadonlyMap<string, number> {
    if (this.#keyCounts === undefined) {
      this.#keyCounts = new Map();
      for (const { labelSet } of this.#entries.values()) count(this.#keyCounts, labelSet, 1);
    }
    return this.#keyCounts;
  }

  /** Yields every known value of a key, with the number of label sets that have the value. */
  *valueCounts(key: string): Iterable<readonly [value: string, count: number]> {
    for (const [value, entries] of this.#postingOf(key).byValue) yield [value, countOf(entries)];
  }

  /** Returns the ids of the label sets that certainly have a key and, if `value` is given, this value. */
  carrying(key: string, value?: string): readonly Id[] {
    const { byValue } = this.#postingOf(key);
    const ids: Id[] = [];
    const values = value === undefined ? byValue.values() : [byValue.get(value)];
    for (const entries of values) for (const { id } of itemsOf(entries)) ids.push(id);
    return ids;
  }

  /** Returns the number of label sets that certainly have a label. */
  countCarrying(key: string, value: string): number {
    return countOf(this.#postingOf(key).byValue.get(value));
  }

  /** Yields every key of the label sets, with its known values. */
  *keys(): Iterable<readonly [key: string, values: Iterable<string>]> {
    for (const [key] of this.keyCounts()) yield [key, this.#valuesOf(key)];
  }

  *#valuesOf(key: string): Iterable<string> {
    yield* this.#postingOf(key).byValue.keys();
  }

  /**
   * Returns a superset of the matching entries, without duplicates: the entries that satisfy the most selective
   * requirement.
   */
  #candidates(selector: Selector): Iterable<Iterable<Entry<Id>>> {
    if (selector.kind === 'nothing') return [];
    if (this.#entries.size <= fewEntries) return [this.#entries.values()];
    let best: Candidates<Id> | undefined;
    for (const requirement of selector.kind === 'all' ? selector.requirements : []) {
      if (allowsAbsence(requirement)) continue;
      const candidates = this.#having(requirement);
      if (best === undefined || candidates.size < best.size) best = candidates;
    }
    if (best === undefined) return [this.#entries.values()];
    // An open set may match even if it does not have the key, so all open sets are added separately, and removed from
    // the other sets.
    return this.#open.size === 0 ? best.sets : [this.#open, ...best.sets.map(withoutOpen)];
  }

  /** Returns the entries whose own labels may satisfy a requirement that needs its key to be present. */
  #having(requirement: Requirement): Candidates<Id> {
    const { size: all, byValue, unknown } = this.#postingOf(requirement.key);
    const values = requiredValues(requirement);
    if (values === undefined) return { size: all, sets: [...byValue.values(), unknown].map(itemsOf) };
    const sets: Iterable<Entry<Id>>[] = [itemsOf(unknown)];
    let size = countOf(unknown);
    for (const value of values) {
      const entries = byValue.get(value);
      if (entries === undefined) continue;
      sets.push(itemsOf(entries));
      size += countOf(entries);
    }
    return { size, sets };
  }
}

/** Up to this number of entries, a scan is faster than a lookup by key. */
const fewEntries = 16;

/** Returns the values of which the key must have one; undefined if the requirement does not restrict the values, or if they are unknown. */
export function requiredValues({ operator, values }: Requirement): readonly string[] | undefined {
  if (operator !== '=' && operator !== '==' && operator !== 'in') return undefined;
  if (!values.every((value) => typeof value === 'string')) return undefined;
  return values.length < 2 ? values : [...new Set(values)];
}

function* withoutOpen<Id>(entries: Iterable<Entry<Id>>): Iterable<Entry<Id>> {
  for (const entry of entries) if (!entry.labelSet.open) yield entry;
}

interface Entry<Id> {
  readonly id: Id;
  readonly labelSet: LabelSet;
  /** The labels, if all of them are known and there can be no others. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

interface Candidates<Id> {
  readonly size: number;
  readonly sets: readonly Iterable<Entry<Id>>[];
}

/** The entries that have one key. */
interface Posting<Id> {
  size: number;
  readonly byValue: Map<string, SmallSet<Entry<Id>>>;
  /** Entries whose value is unknown. */
  unknown: SmallSet<Entry<Id>>;
}

function putInto<Id>(posting: Posting<Id> | undefined, value: Value | undefined, entry: Entry<Id>): void {
  if (posting === undefined || value === undefined) return;
  posting.size++;
  if (typeof value === 'string') addTo(posting.byValue, value, entry);
  else posting.unknown = withItem(posting.unknown, entry);
}

function takeFrom<Id>(posting: Posting<Id>, value: Value, entry: Entry<Id>): void {
  posting.size--;
  if (typeof value === 'string') removeFrom(posting.byValue, value, entry);
  else posting.unknown = withoutItem(posting.unknown, entry);
}

/** Adds a label set to the key counts, or subtracts it; a count of zero is deleted. */
function count(counts: Map<string, number>, { labels }: LabelSet, more: 1 | -1): void {
  for (const key of Object.keys(labels)) {
    const sum = (counts.get(key) ?? 0) + more;
    if (sum === 0) counts.delete(key);
    else counts.set(key, sum);
  }
}

function isKnownSelector(selector: Selector): boolean {
  return selector.kind !== 'all' || (!selector.open && selector.requirements.every(hasKnownValues));
}

function hasKnownValues({ values }: Requirement): boolean {
  return values.every((value) => typeof value === 'string');
}

function knownLabels({ labels }: LabelSet): Readonly<Record<string, string>> | undefined {
  return isKnown(labels) ? labels : undefined;
}

function isKnown(labels: LabelSet['labels']): labels is Readonly<Record<string, string>> {
  for (const key of Object.keys(labels)) if (typeof labels[key] !== 'string') return false;
  return true;
}
