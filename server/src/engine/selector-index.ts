/** Which of many selectors may match a label set? */

import { allowsAbsence, evaluate } from './evaluate.ts';
import type { Found } from './label-index.ts';
import { addTo, getOrAdd, removeFrom } from './multimap.ts';
import type { LabelSet, Requirement, Selector } from './types.ts';

/**
 * Many selectors, each under an id. Each is kept where its most selective requirement puts it: under the values that a
 * key must have, else under a key that must be there, else among those that any label set may satisfy.
 */
export class SelectorIndex<Id> {
  readonly #selectors = new Map<Id, Selector>();
  readonly #places = new Map<Id, Place | undefined>();
  readonly #keys = new Map<string, Posting<Id>>();
  readonly #anywhere = new Set<Id>();

  /** Puts a selector under an id, in the place of what was under it. */
  add(id: Id, selector: Selector): void {
    this.remove(id);
    this.#selectors.set(id, selector);
    if (selector.kind === 'nothing') return;
    const place = selector.kind === 'all' ? this.#placeFor(selector.requirements) : undefined;
    this.#places.set(id, place);
    if (place === undefined) {
      this.#anywhere.add(id);
      return;
    }
    const posting = getOrAdd(this.#keys, place.key, newPosting);
    posting.all.add(id);
    if (place.values === undefined) posting.anyValue.add(id);
    else for (const value of place.values) addTo(posting.byValue, value, id);
  }

  remove(id: Id): void {
    const place = this.#places.get(id);
    this.#selectors.delete(id);
    this.#places.delete(id);
    this.#anywhere.delete(id);
    const posting = place && this.#keys.get(place.key);
    if (!posting) return;
    posting.all.delete(id);
    posting.anyValue.delete(id);
    for (const value of place.values ?? []) removeFrom(posting.byValue, value, id);
    if (posting.all.size === 0) this.#keys.delete(place.key);
  }

  /** The selectors that match the label set or may match it. */
  find(labelSet: LabelSet): Found<Id>[] {
    const found: Found<Id>[] = [];
    for (const ids of this.#candidates(labelSet)) {
      for (const id of ids) {
        const selector = this.#selectors.get(id);
        const answer = selector === undefined ? 'no' : evaluate(selector, labelSet);
        if (answer !== 'no') found.push({ id, answer });
      }
    }
    return found;
  }

  /** Ids without repeats, since each selector has one place and each label one value. */
  #candidates({ labels, open }: LabelSet): readonly Iterable<Id>[] {
    if (open) return [this.#selectors.keys()];
    const candidates: Iterable<Id>[] = [this.#anywhere];
    for (const [key, value] of Object.entries(labels)) {
      const posting = this.#keys.get(key);
      if (posting === undefined) continue;
      if (typeof value === 'string') candidates.push(posting.byValue.get(value) ?? [], posting.anyValue);
      else candidates.push(posting.all);
    }
    return candidates;
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
    for (const value of values) cost += 1 + (posting?.byValue.get(value)?.size ?? 0);
    return cost;
  }
}

/** Under which key, and (if that can be told) under which of its values, a selector is kept. */
interface Place {
  readonly key: string;
  readonly values?: ReadonlySet<string>;
}

interface Posting<Id> {
  readonly all: Set<Id>;
  readonly byValue: Map<string, Set<Id>>;
  /** Those that only ask for the key, or for values that are not known. */
  readonly anyValue: Set<Id>;
}

/** A key alone says little: a value is preferred to it until very many selectors share that value. */
const keyCost = 1000;

function newPosting<Id>(): Posting<Id> {
  return { all: new Set(), byValue: new Map(), anyValue: new Set() };
}

function placeOf({ key, operator, values }: Requirement): Place {
  const isEquality = operator === '=' || operator === '==' || operator === 'in';
  const known = values.filter((value) => typeof value === 'string');
  return isEquality && known.length === values.length ? { key, values: new Set(known) } : { key };
}
