/**
 * Computes the domain of one label key: the states, absent or with a valid value, in which all its requirements hold.
 */

import { isInteger } from './integers.ts';
import { isLabelValue, maxValueBytes } from './labels.ts';
import type { Operator } from './types.ts';

/** A requirement whose values are all known. */
export interface KnownRequirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** A set of states of one key. Its values are those listed in `only`; without `only`, all valid values that are not in `except` and, if a range is given, are integers in it. Three facts make decisions about domains exact and cheap. First, a requirement concerns one key, so a conjunction leaves one such set for each key, and keys are independent. Second, without a list and a range there are so many valid values that no list of exceptions can exclude them all. Third, a valid value has no sign, so a range begins at 0; each integer has more than 40 spellings, one for each number of leading zeros that fits, so `except` can exclude a whole range only if it has more than 40 values for each integer in the range. */
export interface Domain {
  readonly absent: boolean;
  readonly only?: ReadonlySet<string>;
  readonly except: ReadonlySet<string>;
  readonly range?: Range;
}

/** Integers from `from` to `to`, both inclusive; empty if `from` is greater. */
interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

const none: ReadonlySet<string> = new Set();
const allIntegers: Range = { from: 0n, to: 2n ** 63n - 1n };

/** Returns the states in which all `requirements` hold; all requirements must be on the same key. */
export function domainOf(requirements: readonly KnownRequirement[]): Domain {
  let absent = true;
  let only: ReadonlySet<string> | undefined;
  let range: Range | undefined;
  const except = new Set<string>();
  for (const { operator, values } of requirements) {
    if (operator === '!') only = none;
    else if (operator === '!=' || operator === 'notin') for (const value of values) except.add(value);
    else absent = false;
    if (operator === 'gt' || operator === 'lt') range = narrow(range ?? allIntegers, operator, values[0] ?? '');
    else if (operator === '=' || operator === '==' || operator === 'in')
      only = only ? common(only, values) : new Set(values);
  }
  const domain: Domain = range ? { absent, except, range } : { absent, except };
  return only ? { absent, except, only: new Set([...only].filter((value) => hasValue(domain, value))) } : domain;
}

/** Whether the domain has no state. */
export function isEmpty(domain: Domain): boolean {
  return !domain.absent && someValue(domain) === undefined;
}

/** Returns a value of the domain, preferably a readable one; undefined if the domain contains no value. */
export function someValue(domain: Domain): string | undefined {
  const candidates = domain.only ?? (domain.range ? spellings(domain.range) : words());
  for (const value of candidates) if (domain.only || !domain.except.has(value)) return value;
  return undefined;
}

/** Whether the requirement holds in every state of the domain. */
export function implies(domain: Domain, { operator, values }: KnownRequirement): boolean {
  switch (operator) {
    case '!':
      return someValue(domain) === undefined;
    case '!=':
    case 'notin':
      return !values.some((value) => hasValue(domain, value));
    case 'exists':
      return !domain.absent;
    case 'gt':
    case 'lt':
      return !domain.absent && isWithin(domain, narrow(allIntegers, operator, values[0] ?? ''));
    default:
      return !domain.absent && hasOnly(domain, new Set(values));
  }
}

function hasValue(domain: Domain, value: string): boolean {
  if (domain.only) return domain.only.has(value);
  if (domain.except.has(value) || !isLabelValue(value)) return false;
  return domain.range === undefined || isIn(domain.range, value);
}

/**
 * Whether all values of the domain are in `values`. Examines at most one value more than `values` and `except` have
 * together.
 */
function hasOnly(domain: Domain, values: ReadonlySet<string>): boolean {
  if (domain.only) return [...domain.only].every((value) => values.has(value));
  if (!domain.range) return false;
  for (const value of spellings(domain.range)) if (!domain.except.has(value) && !values.has(value)) return false;
  return true;
}

/** Whether all values of the domain are integers in `range`. Only the first and the last remaining value of the domain have to be examined. */
function isWithin(domain: Domain, range: Range): boolean {
  if (domain.only) return [...domain.only].every((value) => isIn(range, value));
  if (!domain.range) return false;
  const least = someValue(domain);
  if (least === undefined) return true;
  let to = domain.range.to;
  while (hasOnly({ ...domain, range: { from: to, to } }, none)) to--;
  return isIn(range, least) && to <= range.to;
}

function isIn({ from, to }: Range, value: string): boolean {
  if (!isInteger(value)) return false;
  const integer = BigInt(value);
  return from <= integer && integer <= to;
}

/** Returns the part of `range` that satisfies a comparison with a bound; empty if the bound is not an integer. */
function narrow(range: Range, operator: 'gt' | 'lt', text: string): Range {
  if (!isInteger(text)) return { from: 1n, to: 0n };
  const bound = BigInt(text);
  if (operator === 'gt') return bound < range.from ? range : { from: bound + 1n, to: range.to };
  return bound > range.to ? range : { from: range.from, to: bound - 1n };
}

function common(set: ReadonlySet<string>, values: readonly string[]): ReadonlySet<string> {
  return new Set(values.filter((value) => set.has(value)));
}

/** Yields every spelling of every integer of a range, in the order of the integers. */
function* spellings({ from, to }: Range): Generator<string> {
  for (let integer = from; integer <= to; integer++) {
    const digits = integer.toString();
    for (let length = digits.length; length <= maxValueBytes; length++) yield digits.padStart(length, '0');
  }
}

/** Yields an endless sequence of different words. */
function* words(): Generator<string> {
  yield 'any';
  for (let index = 1; ; index++) yield `any-${index}`;
}
