/** The small universe of labels and selectors that the properties evaluate exhaustively. */

import fc from 'fast-check';
import {
  type Operator,
  parseSelector,
  type Requirement,
  type Selector,
  type Unknown,
  type Value,
} from '../../server/src/engine/index.ts';

export const keys = ['x', 'y', 'in', 'constructor'];

/** Enough for every distinction that requirements over `values` and `bounds` can make, including leading zeros. */
const values = ['', 'a', 'b', 'any', '0', '1', '2', '3', '02', '9223372036854775807', '9223372036854775808'];
const bounds = ['0', '1', '2', '01', '9223372036854775806', '9223372036854775807'];

/**
 * Every word and number that can make a difference: those in the lists, a fresh word, numbers next to every bound, with
 * leading zeros.
 */
export const states: readonly (string | undefined)[] = [
  undefined,
  ...values,
  'fresh',
  '4',
  '00',
  '01',
  '03',
  '002',
  '09223372036854775807',
  '9223372036854775806',
  '9223372036854775805',
];

const key = fc.constantFrom(...keys);
const value = fc.constantFrom(...values);

const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  record(fc.constantFrom('=', '==', '!='), fc.tuple(value)),
  record(fc.constantFrom('in', 'notin'), fc.uniqueArray(value, { minLength: 1, maxLength: 4 })),
  record(fc.constantFrom('exists', '!'), fc.constant([])),
  record(fc.constantFrom('gt', 'lt'), fc.tuple(fc.constantFrom(...bounds))),
);

export const unknown: fc.Arbitrary<Unknown> = fc.constantFrom<Unknown>(
  { unknown: 'p' },
  { unknown: 'q' },
  { unknown: 'r', pattern: 'a*' },
  { unknown: 's', pattern: '*2' },
);

/** A selector as the parser returns it: sorted by key. */
export const selector = selectorOf(requirement);

/** A selector with some unknown values. */
export const partlyUnknown = selectorOf(
  fc.tuple(requirement, fc.array(fc.option(unknown), { minLength: 4, maxLength: 4 })).map(([known, unknowns]) => ({
    ...known,
    values: known.values.map((one, index): Value => unknowns[index] ?? one),
  })),
);

/** Labels over the keys of the universe; an undefined state omits the key. */
export const labels = fc
  .tuple(...keys.map(() => fc.constantFrom(...states)))
  .map((chosen) => labelsOf(new Map(keys.map((name, index) => [name, chosen[index]]))));

/** The labels with a state; an undefined state omits the key. */
export function labelsOf<T extends Value>(chosen: ReadonlyMap<string, T | undefined>): Record<string, T> {
  return Object.fromEntries([...chosen].filter((entry): entry is [string, T] => entry[1] !== undefined));
}

/** All label sets over some keys: few enough to evaluate each of them. */
export function* labelSets(over: readonly string[]): Generator<Record<string, string>> {
  const [first, ...rest] = over;
  if (first === undefined) {
    yield {};
    return;
  }
  for (const others of labelSets(rest)) {
    for (const state of states) yield state === undefined ? others : { ...others, [first]: state };
  }
}

/** The selector of a text that is known to be valid. */
export function parse(text: string): Selector {
  const parsed = parseSelector(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problems.map((problem) => problem.message).join('; ')}`);
  return parsed.value;
}

/** The requirements of a selector. */
export function requirementsOf(selector: Selector): readonly Requirement[] {
  return selector.kind === 'all' ? selector.requirements : [];
}

function record(
  operator: fc.Arbitrary<Operator>,
  list: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<Requirement & { readonly values: readonly string[] }> {
  return fc.record({ key, operator, values: list });
}

function selectorOf(one: fc.Arbitrary<Requirement>): fc.Arbitrary<Selector> {
  return fc.array(one, { maxLength: 5 }).map((requirements): Selector => {
    if (requirements.length === 0) return { kind: 'everything' };
    const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return { kind: 'all', requirements: sorted };
  });
}
