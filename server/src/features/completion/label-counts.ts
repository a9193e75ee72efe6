/** Counts of labels: the available keys and values, each with the number of objects that have it. */

import { type Answer, everything, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { isSetByController } from '../../rules/helpers/controller-keys.ts';
import { localize } from '../../text/localize.ts';
import type { LabelCounts } from '../../workspace/model.ts';

/** The number of objects that match (`certain`), and of objects that may match (`maybe`). */
export interface Count {
  readonly certain: number;
  readonly maybe: number;
}

/** Labels with their frequencies, in no particular order. */
export interface Tally {
  readonly total: Count;
  /** Whether the counts are exact. Approximate counts are suitable only for comparing frequencies. */
  readonly exact: boolean;
  keys(): Iterable<readonly [key: string, count: Count]>;
  values(key: string): Iterable<readonly [value: string, count: Count]>;
  count(key: string, value: string): Count;
  /** Returns the number of objects in which the key has an unknown value. */
  unknown(key: string): number;
}

/** Counts the labels of the objects that a selector matches; a selector without requirements matches all objects. */
export type Reachable = (chosen: Selector) => Tally;

/** The labels of an object to count, and whether the object matches certainly or only possibly. */
export interface Counted {
  readonly labelSet: LabelSet;
  readonly answer: Exclude<Answer, 'no'>;
}

export function allOf(requirements: readonly Requirement[]): Selector {
  return requirements.length === 0 ? everything : { kind: 'all', requirements };
}

const none: Count = { certain: 0, maybe: 0 };

function plus(a: Count, b: Count): Count {
  return { certain: a.certain + b.certain, maybe: a.maybe + b.maybe };
}

/** Subtracts the count of a subset from the count of the whole set. */
export function without(whole: Count, part: Count): Count {
  return { certain: whole.certain - part.certain, maybe: whole.maybe - part.maybe };
}

export function having(tally: Tally, key: string, values: readonly string[]): Count {
  const taken = values.reduce((sum, value) => plus(sum, tally.count(key, value)), none);
  return plus(taken, { certain: 0, maybe: tally.unknown(key) });
}

/** Counts the objects that have a different value for the key, or do not have the key. */
export function lacking(tally: Tally, key: string, values: readonly string[]): Count {
  const unknown = tally.unknown(key);
  const taken = having(tally, key, values);
  const left = { certain: tally.total.certain - taken.certain, maybe: tally.total.maybe - taken.maybe + unknown };
  return plus(left, { certain: -unknown, maybe: unknown });
}

/** Formats a count: `matches 2, may match 1 more`. */
export function countText({ certain, maybe }: Count): string {
  if (certain === 0) return maybe === 0 ? localize`matches nothing` : localize`may match ${maybe}`;
  return maybe === 0 ? localize`matches ${certain}` : localize`matches ${certain}, may match ${maybe} more`;
}

interface KeyTally {
  count: Count;
  /** The number of objects whose value is unknown and may therefore be any value. */
  unknown: number;
  readonly values: Map<string, Count>;
}

/** Counts the keys and values of the given labels exactly. */
export function tallyOf(counted: Iterable<Counted>): Tally {
  const keys = new Map<string, KeyTally>();
  let total = none;
  for (const { labelSet, answer } of counted) {
    const one = answer === 'yes' ? { certain: 1, maybe: 0 } : { certain: 0, maybe: 1 };
    total = plus(total, one);
    for (const [key, value] of Object.entries(labelSet.labels)) {
      const known = keys.get(key) ?? { count: none, unknown: 0, values: new Map() };
      known.count = plus(known.count, one);
      if (typeof value === 'string') known.values.set(value, plus(known.values.get(value) ?? none, one));
      else known.unknown++;
      keys.set(key, known);
    }
  }
  return {
    total,
    exact: true,
    *keys() {
      for (const [key, { count }] of keys) yield [key, count];
    },
    *values(key) {
      yield* keys.get(key)?.values ?? [];
    },
    count: (key, value) => keys.get(key)?.values.get(value) ?? none,
    unknown: (key) => keys.get(key)?.unknown ?? 0,
  };
}

/** Returns the approximate counts from the index, without evaluating objects. */
export function tallyOfCounts(counts: readonly LabelCounts[]): Tally {
  const certain = (count: number): Count => ({ certain: count, maybe: 0 });
  function* merged(ofEach: (counts: LabelCounts) => Iterable<readonly [string, number]>) {
    const sums = new Map<string, number>();
    for (const each of counts) for (const [text, count] of ofEach(each)) sums.set(text, (sums.get(text) ?? 0) + count);
    for (const [text, count] of sums) yield [text, certain(count)] as const;
  }
  const values = (key: string) => merged((each) => each.values(key));
  const byKey = new Map<string, ReadonlyMap<string, Count>>();
  return {
    total: certain(counts.reduce((sum, { size }) => sum + size, 0)),
    exact: false,
    keys: () => merged((each) => each.keys()),
    values,
    count: (key, value) => getOrAdd(byKey, key, () => new Map(values(key))).get(value) ?? none,
    unknown: () => 0,
  };
}

/** Whether users set the label: false for a label that controllers set, such as `pod-template-hash`, if no file contains a value. */
export function isWritten(tally: Tally, key: string): boolean {
  if (!isSetByController(key)) return true;
  for (const _ of tally.values(key)) return true;
  return false;
}

/** Compares by frequency, then by the number of certain matches, then alphabetically. */
export function byCount([a, one]: readonly [string, Count], [b, other]: readonly [string, Count]): number {
  return other.certain + other.maybe - one.certain - one.maybe || other.certain - one.certain || (a < b ? -1 : 1);
}
