/** Which of many selectors may match a label set? */

import { allowsAbsence, evaluate } from './evaluate.ts';
import { type Found, requiredValues } from './label-index.ts';
import { addTo, countOf, getOrAdd, itemsOf, type Multimap, removeFrom } from './multimap.ts';
import type { LabelSet, Requirement, Selector } from './types.ts';

/**
 * Many selectors, each under an id. Each is kept where its most selective requirement puts it: under the values that a
 * key must have, else under a key that must be there, else among those that any label set may satisfy.
 */
export class SelectorIndex<Id> {
  readonly #entries = new Map<Id, Entry<Id>>();
  readonly #keys = new Map<string, Posting<Id>>();
  readonly #anywhere = new Set<Entry<Id>>();

  /** Puts a selector under an id, in the place of what was under it. */
  add(id: Id, selector: Selector): void {
    this.remove(id);
    if (selector.kind === 'nothing') return;
    const place = selector.kind === 'all' ? this.#placeFor(selector.requirements) : undefined;
    const entry: Entry<Id> = { id, selector, place };
    this.#entries.set(id, entry);
    if (place === undefined) {
      this.#anywhere.add(entry);
      return;
    }
    const posting = getOrAdd(this.#keys, place.key, newPosting<Id>);
    posting.all.add(entry);
    if (place.values === undefined) posting.anyValue.add(entry);
    else for (const value of place.values) addTo(posting.byValue, value, entry);
  }

  remove(id: Id): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { place } = entry;
    this.#entries.delete(id);
    this.#anywhere.delete(entry);
    const posting = place && this.#keys.get(place.key);
    if (posting === undefined) return;
    posting.all.delete(entry);
    posting.anyValue.delete(entry);
    for (const value of place?.values ?? []) removeFrom(posting.byValue, value, entry);
    if (posting.all.size === 0) this.#keys.delete(place?.key ?? '');
  }

  /** The selectors that match the label set or may match it, in no order that means anything. */
  find(labelSet: LabelSet): Found<Id>[] {
    const found: Found<Id>[] = [];
    const { labels, open } = labelSet;
    if (open) {
      check(this.#entries.values(), labelSet, found);
      return found;
    }
    check(this.#anywhere, labelSet, found);
    // Nothing is found twice: each selector has one place, and each key one value.
    for (const key of Object.keys(labels)) {
      const posting = this.#keys.get(key);
      if (posting === undefined) continue;
      const value = labels[key];
      if (typeof value === 'string') {
        check(itemsOf(posting.byValue.get(value)), labelSet, found);
        check(posting.anyValue, labelSet, found);
      } else check(posting.all, labelSet, found);
    }
    return found;
  }

  /** The selectors with a requirement of which `speaks` is true: what they say of all other keys does not count. */
  having(speaks: (requirement: Requirement) => boolean): Id[] {
    const found: Id[] = [];
    for (const { id, selector } of this.#entries.values()) {
      if (selector.kind === 'all' && selector.requirements.some(speaks)) found.push(id);
    }
    return found;
  }

  /** The place where the fewest label sets will look: one with few values, which few selectors share so far. */
  #placeFor(requirements: readonly Requirement[]): Place | undefined {
    let best: Place | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const requirement of requirements) {
      if (allowsAbsence(requirement)) continue;
      const place = placeOf(requirement);
      const cost = this.#costOf(place);
      if (cost >= bestCost) continue;
      best = place;
      bestCost = cost;
    }
    return best;
  }

  #costOf({ key, values }: Place): number {
    const posting = this.#keys.get(key);
    if (values === undefined) return keyCost + (posting?.all.size ?? 0);
    let cost = 0;
    for (const value of values) cost += 1 + countOf(posting?.byValue.get(value));
    return cost;
  }
}

/** Under which key, and (if that can be told) under which of its values, a selector is kept. */
interface Place {
  readonly key: string;
  readonly values?: ReadonlySet<string>;
}

interface Entry<Id> {
  readonly id: Id;
  readonly selector: Selector;
  /** Absent where any label set may satisfy the selector. */
  readonly place: Place | undefined;
}

interface Posting<Id> {
  readonly all: Set<Entry<Id>>;
  readonly byValue: Multimap<string, Entry<Id>>;
  /** Those that only ask for the key, or for values that are not known. */
  readonly anyValue: Set<Entry<Id>>;
}

/** A key alone says little: a value is preferred to it until very many selectors share that value. */
const keyCost = 1000;

function newPosting<Id>(): Posting<Id> {
  return { all: new Set(), byValue: new Map(), anyValue: new Set() };
}

function placeOf(requirement: Requirement): Place {
  const values = requiredValues(requirement);
  return values ? { key: requirement.key, values } : { key: requirement.key };
}

/** Adds to `found` those of the entries that match the label set or may match it. */
function check<Id>(entries: Iterable<Entry<Id>> | undefined, labelSet: LabelSet, found: Found<Id>[]): void {
  if (entries === undefined) return;
  for (const { id, selector } of entries) {
    const answer = evaluate(selector, labelSet);
    if (answer !== 'no') found.push({ id, answer });
  }
}
