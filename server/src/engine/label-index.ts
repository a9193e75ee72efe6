/** Which of many label sets may a selector match? */

import { allowsAbsence, evaluate } from './evaluate.ts';
import { addTo, getOrAdd, removeFrom } from './multimap.ts';
import type { Answer, LabelSet, Requirement, Selector, Value } from './types.ts';

/** One answer that is not *no*. */
export interface Found<Id> {
  readonly id: Id;
  readonly answer: Exclude<Answer, 'no'>;
}

/**
 * Many label sets, each under an id. For every key it knows who has the key, with which value; sets with an unknown
 * value, and open sets, are candidates wherever they may match.
 */
export class LabelIndex<Id> {
  readonly #sets = new Map<Id, LabelSet>();
  readonly #keys = new Map<string, Posting<Id>>();
  readonly #open = new Set<Id>();

  /** Puts a label set under an id, in the place of what was under it. */
  add(id: Id, labelSet: LabelSet): void {
    this.remove(id);
    this.#sets.set(id, labelSet);
    if (labelSet.open) this.#open.add(id);
    for (const [key, value] of Object.entries(labelSet.labels)) {
      const posting = getOrAdd(this.#keys, key, newPosting);
      posting.all.add(id);
      if (typeof value === 'string') addTo(posting.byValue, value, id);
      else posting.unknown.add(id);
    }
  }

  remove(id: Id): void {
    const labelSet = this.#sets.get(id);
    if (labelSet === undefined) return;
    this.#sets.delete(id);
    this.#open.delete(id);
    for (const [key, value] of Object.entries(labelSet.labels)) {
      const posting = this.#keys.get(key);
      posting?.all.delete(id);
      posting?.unknown.delete(id);
      if (posting && typeof value === 'string') removeFrom(posting.byValue, value, id);
      if (posting?.all.size === 0) this.#keys.delete(key);
    }
  }

  /** The label sets that the selector matches or may match. */
  find(selector: Selector): Found<Id>[] {
    const found: Found<Id>[] = [];
    for (const ids of this.#candidates(selector)) {
      for (const id of ids) {
        const labelSet = this.#sets.get(id);
        const answer = labelSet === undefined ? 'no' : evaluate(selector, labelSet);
        if (answer !== 'no') found.push({ id, answer });
      }
    }
    return found;
  }

  /** Ids without repeats, among them all that may match: those that the most selective requirement leaves. */
  #candidates(selector: Selector): readonly Iterable<Id>[] {
    if (selector.kind === 'nothing') return [];
    let best: readonly ReadonlySet<Id>[] | undefined;
    let size = this.#sets.size;
    for (const requirement of selector.kind === 'all' ? selector.requirements : []) {
      if (allowsAbsence(requirement)) continue;
      const sets = this.#having(requirement);
      const total = sets.reduce((sum, set) => sum + set.size, 0);
      if (best && total >= size) continue;
      best = sets;
      size = total;
    }
    if (best === undefined) return [this.#sets.keys()];
    return this.#open.size === 0 ? best : [new Set([...best, this.#open].flatMap((set) => [...set]))];
  }

  /** The closed sets that may satisfy a requirement that needs its key. */
  #having({ key, operator, values }: Requirement): readonly ReadonlySet<Id>[] {
    const posting = this.#keys.get(key);
    if (posting === undefined) return [];
    const isEquality = operator === '=' || operator === '==' || operator === 'in';
    if (!isEquality || !values.every(isKnown)) return [posting.all];
    const sets = [...new Set(values)].flatMap((value) => posting.byValue.get(value) ?? []);
    return posting.unknown.size === 0 ? sets : [...sets, posting.unknown];
  }
}

/** Who has one key. */
interface Posting<Id> {
  readonly all: Set<Id>;
  readonly byValue: Map<string, Set<Id>>;
  /** Those whose value is not known. */
  readonly unknown: Set<Id>;
}

function newPosting<Id>(): Posting<Id> {
  return { all: new Set(), byValue: new Map(), unknown: new Set() };
}

function isKnown(value: Value): value is string {
  return typeof value === 'string';
}
