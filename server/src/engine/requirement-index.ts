/** Index of many selectors by the label keys, and values, of their requirements. */

import { getOrAdd } from './memoize.ts';
import { addTo, type Bag, itemsOf, removeFrom, withItem, withoutItem } from './small-set.ts';
import type { Requirement, Selector } from './types.ts';

interface Asking {
  readonly selector: Selector;
}

/** Selectors by the keys of their requirements, and for each key by the values that they name. */
export class RequirementIndex<Entry extends Asking> {
  readonly #keys = new Map<string, Asked<Entry>>();

  add(entry: Entry): void {
    for (const requirement of requirementsOf(entry)) {
      const asked = getOrAdd(this.#keys, requirement.key, newAsked<Entry>);
      for (const value of namedBy(requirement)) addTo(asked.byValue, value, entry);
      if (!isDecided(requirement)) asked.others = withItem(asked.others, entry);
    }
  }

  remove(entry: Entry): void {
    for (const requirement of requirementsOf(entry)) {
      const asked = this.#keys.get(requirement.key);
      if (asked === undefined) continue;
      for (const value of namedBy(requirement)) removeFrom(asked.byValue, value, entry);
      asked.others = withoutItem(asked.others, entry);
      if (asked.byValue.size === 0 && asked.others === undefined) this.#keys.delete(requirement.key);
    }
  }

  /**
   * Those that ask about a key, or where there are values, those that name one of these, and those with a requirement that
   * says more than what the value is, or is not, and of which `alsoSpeaks` is true.
   */
  having(
    key: string,
    values: readonly string[],
    alsoSpeaks: (requirement: Requirement) => boolean = () => false,
  ): ReadonlySet<Entry> {
    const asked = this.#keys.get(key);
    if (asked === undefined) return new Set();
    if (values.length === 0) return new Set([...asked.byValue.values(), asked.others].flatMap(listOf));
    const isMeant = (entry: Entry) => requirementsOf(entry).some((each) => each.key === key && alsoSpeaks(each));
    return new Set([
      ...values.flatMap((value) => listOf(asked.byValue.get(value))),
      ...listOf(asked.others).filter(isMeant),
    ]);
  }
}

interface Asked<Entry extends Asking> {
  readonly byValue: Map<string, Bag<Entry>>;
  /** Those who do not only say that the value is, or is not, one of some that are known. */
  others: Bag<Entry>;
}

function newAsked<Entry extends Asking>(): Asked<Entry> {
  return { byValue: new Map(), others: undefined };
}

function requirementsOf({ selector }: Asking): readonly Requirement[] {
  return selector.kind === 'all' ? selector.requirements : [];
}

function namedBy({ values }: Requirement): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

function isDecided({ operator, values }: Requirement): boolean {
  const comparesValues = operator !== 'gt' && operator !== 'lt' && values.length > 0;
  return comparesValues && values.every((value) => typeof value === 'string');
}

function listOf<Entry extends Asking>(bag: Bag<Entry>): readonly Entry[] {
  return [...itemsOf(bag)];
}
