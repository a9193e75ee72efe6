/** Index of many label sets: finds those that a selector may match. */

import { compile } from './compile.ts';
import { allowsAbsence, evaluate } from './evaluate.ts';
import { addTo, countOf, itemsOf, removeFrom, type SmallSet, withItem, withoutItem } from './small-set.ts';
import type { Answer, LabelSet, Requirement, Selector, Value } from './types.ts';

/** One result, whose answer is not *no*. */
export interface IndexedMatch<Id> {
  readonly id: Id;
  readonly answer: Exclude<Answer, 'no'>;
}

/** One result, with its label set. */
export interface FoundLabels<Id> extends IndexedMatch<Id> {
  readonly labelSet: LabelSet;
}

/**
 * Many label sets, each under an id. For every key that was looked up, the index knows the entries that have the key,
 * by value. Sets with an unknown value, and open sets, are found wherever they may match.
 */
export class LabelIndex<Id> {
  readonly #entries = new Map<Id, Entry<Id>>();
  /** Who has a key is found when it is first asked: of most keys nobody ever asks. */
  readonly #keys = new Map<string, Posting<Id>>();
  /** When so many keys are known, it is time to forget those that nothing has. */
  #mostKeys = fewKeys;
  /** How many have each key; counted when somebody first asks. */
  #keyCounts: Map<string, number> | undefined;
  readonly #open = new Set<Entry<Id>>();

  /** Puts a label set under an id, in the place of what was under it. */
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
    for (const [key, value] of Object.entries(entry.labelSet.labels)) takeFrom(this.#keys.get(key), value, entry);
    if (this.#keyCounts !== undefined) count(this.#keyCounts, entry.labelSet, -1);
  }

  #postingOf(key: string): Posting<Id> {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const posting: Posting<Id> = { size: 0, byValue: new Map(), unknown: undefined };
    if (this.#keys.size >= this.#mostKeys) this.#forgetUnusedKeys();
    this.#keys.set(key, posting);
    for (const entry of this.#entries.values()) {
      const { labels } = entry.labelSet;
      if (Object.hasOwn(labels, key)) putInto(posting, labels[key], entry);
    }
    return posting;
  }

  /** Keys that nothing has are forgotten from time to time: people ask about many that they are just typing. */
  #forgetUnusedKeys(): void {
    for (const [key, { size }] of this.#keys) if (size === 0) this.#keys.delete(key);
    this.#mostKeys = 2 * this.#keys.size + fewKeys;
  }

  /** The label set under an id. */
  get(id: Id): LabelSet | undefined {
    return this.#entries.get(id)?.labelSet;
  }

  /** The label sets that the selector matches or may match, in no order that means anything. */
  find(selector: Selector): FoundLabels<Id>[] {
    return [...this.labelSets(selector)];
  }

  /** The same, each as it is reached. */
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

  /** How many label sets there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether a label set has a key. */
  hasKey(key: string): boolean {
    return this.#countedKeys().has(key);
  }

  /** Every key with the number of label sets that have it. */
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

  /** Every known value of a key with the number of label sets that have it. */
  *valueCounts(key: string): Iterable<readonly [value: string, count: number]> {
    for (const [value, entries] of this.#postingOf(key).byValue) yield [value, countOf(entries)];
  }

  /** The label sets that certainly have a key, and, where one is given, this value of it. */
  *carrying(key: string, value?: string): Iterable<Id> {
    const { byValue } = this.#postingOf(key);
    const values = value === undefined ? byValue.values() : [byValue.get(value)];
    for (const entries of values) for (const { id } of itemsOf(entries)) yield id;
  }

  /** Every key that a label set has, with the values that are known of it. */
  *keys(): Iterable<readonly [key: string, values: Iterable<string>]> {
    for (const [key] of this.keyCounts()) yield [key, this.#valuesOf(key)];
  }

  *#valuesOf(key: string): Iterable<string> {
    yield* this.#postingOf(key).byValue.keys();
  }

  /** Entries without repeats, among them all that may match: those that the most selective requirement leaves. */
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
    // What is open may match whatever it shows, and is not looked at again for that.
    return this.#open.size === 0 ? best.sets : [this.#open, ...best.sets.map(withoutOpen)];
  }

  /** The entries whose own labels may satisfy a requirement that needs its key. */
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

/** So many keys that nothing has are remembered. */
const fewKeys = 16;

/** So many are looked through more quickly than who has which key is found. */
const fewEntries = 16;

/**
 * The values of which a key must have one; undefined if the requirement does not restrict them, or if they are unknown.
 */
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
  /** Its labels where all of them are known and no others can be there. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

interface Candidates<Id> {
  readonly size: number;
  readonly sets: readonly Iterable<Entry<Id>>[];
}

/** Who has one key. */
interface Posting<Id> {
  size: number;
  readonly byValue: Map<string, SmallSet<Entry<Id>>>;
  /** Those whose value is not known. */
  unknown: SmallSet<Entry<Id>>;
}

function putInto<Id>(posting: Posting<Id> | undefined, value: Value | undefined, entry: Entry<Id>): void {
  if (posting === undefined || value === undefined) return;
  posting.size++;
  if (typeof value === 'string') addTo(posting.byValue, value, entry);
  else posting.unknown = withItem(posting.unknown, entry);
}

function takeFrom<Id>(posting: Posting<Id> | undefined, value: Value, entry: Entry<Id>): void {
  if (posting === undefined) return;
  posting.size--;
  if (typeof value === 'string') removeFrom(posting.byValue, value, entry);
  else posting.unknown = withoutItem(posting.unknown, entry);
}

/** Counts the keys of a label set more, or less; a key that nothing has any more is not there. */
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
