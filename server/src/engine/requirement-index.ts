/** Indexes many selectors by the label keys and values in their requirements. */

import { getOrAdd } from './memoize.ts';
import { addTo, itemsOf, removeFrom, type SmallSet, withItem, withoutItem } from './small-set.ts';
import type { Requirement, Selector } from './types.ts';

interface HasRequirements {
  readonly selector: Selector;
}

/** Selectors by the keys of their requirements, and for each key by the values in those requirements. */
export class RequirementIndex<Entry extends HasRequirements> {
  readonly #keys = new Map<string, KeyEntries<Entry>>();

  add(entry: Entry): void {
    for (const requirement of requirementsOf(entry)) {
      const evaluated = getOrAdd(this.#keys, requirement.key, newKeyEntries<Entry>);
      for (const value of namedBy(requirement)) addTo(evaluated.byValue, value, entry);
      if (!isDecided(requirement)) evaluated.others = withItem(evaluated.others, entry);
    }
  }

  remove(entry: Entry): void {
    for (const requirement of requirementsOf(entry)) {
      const evaluated = this.#keys.get(requirement.key);
      if (evaluated === undefined) continue;
      for (const value of namedBy(requirement)) removeFrom(evaluated.byValue, value, entry);
      evaluated.others = withoutItem(evaluated.others, entry);
      if (evaluated.byValue.size === 0 && evaluated.others === undefined) this.#keys.delete(requirement.key);
    }
  }

  /**
   * Returns the selectors with a requirement on a key. If `values` is not empty, returns only selectors whose
   * requirement lists one of the values, and selectors whose requirement is not an equality or inequality with known
   * values, if `alsoConcerns` returns true for this requirement.
   */
  having(
    key: string,
    values: readonly string[],
    alsoConcerns: (requirement: Requirement) => boolean = () => false,
  ): ReadonlySet<Entry> {
    const evaluated = this.#keys.get(key);
    if (evaluated === undefined) return new Set();
    if (values.length === 0) return new Set([...evaluated.byValue.values(), evaluated.others].flatMap(listOf));
    const isMeant = (entry: Entry) => requirementsOf(entry).some((each) => each.key === key && alsoConcerns(each));
    return new Set([
      ...values.flatMap((value) => listOf(evaluated.byValue.get(value))),
      ...listOf(evaluated.others).filter(isMeant),
    ]);
  }
}

interface KeyEntries<Entry extends HasRequirements> {
  readonly byValue: Map<string, SmallSet<Entry>>;
  /** Selectors with a requirement other than equality or inequality with known values. */
  others: SmallSet<Entry>;
}

function newKeyEntries<Entry extends HasRequirements>(): KeyEntries<Entry> {
  return { byValue: new Map(), others: undefined };
}

function requirementsOf({ selector }: HasRequirements): readonly Requirement[] {
  return selector.kind === 'all' ? selector.requirements : [];
}

function namedBy({ values }: Requirement): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

function isDecided({ operator, values }: Requirement): boolean {
  const comparesValues = operator !== 'gt' && operator !== 'lt' && values.length > 0;
  return comparesValues && values.every((value) => typeof value === 'string');
}

function listOf<Entry extends HasRequirements>(set: SmallSet<Entry>): readonly Entry[] {
  return [...itemsOf(set)];
}
