/** Finds the first difference between two values as the API server stores them: with defaults, and regardless of the order of map keys. */

import { amountOf } from '../quantity.ts';
import { fieldOf, isRecord } from '../structured.ts';
import { isUnknown, type Value } from '../types.ts';
import { isSame } from '../unknowns.ts';
import { below, type FieldPatterns } from './field-patterns.ts';
import type { StoredFact } from './immutable-facts.ts';

/** Keys and list indexes, from the root of the compared values. */
export type FieldPath = readonly (string | number)[];

export interface Compared {
  readonly stored: FieldPatterns<StoredFact> | undefined;
  /** The fields that may change (`always`), or that may only be added (`added`). */
  readonly free: FieldPatterns<'always' | 'added'> | undefined;
}

/** The maximum depth of compared values. Real objects are less deeply nested, and comparing deeper values could overflow the stack. */
const maximumDepth = 100;
/** The maximum number of comparisons, more than real objects need; all further values are assumed to be equal. */
const maximumComparisons = 200_000;

/** Returns the path at which two values certainly differ; undefined if they are equal or may be equal. Lists are ordered and maps are not; null, an empty list and an empty map are equivalent to no value, except for a `struct`. */
export function storedDifference(old: unknown, fresh: unknown, compared: Compared): FieldPath | undefined {
  let left = maximumComparisons;
  const differ = (a: unknown, b: unknown, { stored, free }: Compared, path: FieldPath): FieldPath | undefined => {
    if (path.length > maximumDepth || left-- <= 0 || a === b || free?.fact === 'always') return undefined;
    const fact = stored?.fact;
    if (fact?.stored === 'dropped') return undefined;
    const [isMissing, isGone] = [a === undefined || a === null, b === undefined || b === null];
    if ((isMissing || isGone) && fact?.stored?.startsWith('filled')) return undefined;
    if (isMissing && free?.fact === 'added') return undefined;
    if ((isGone && fact?.stored === 'kept') || (!isMissing && fact?.stored === 'fixed')) return undefined;
    if (fact?.stored === 'struct' && isMissing !== isGone) return isUnknown(a) || isUnknown(b) ? undefined : path;
    const [was, is] = [withDefault(a, fact?.default), withDefault(b, fact?.default)];
    if (isUnknown(was) || isUnknown(is)) return unknownDiffers(was, is, { stored, free }, path);
    if (Array.isArray(was) || Array.isArray(is)) return listsDiffer(was, is, { stored, free }, path);
    if (isRecord(was) || isRecord(is)) return mapsDiffer(was, is, { stored, free }, path);
    if (was === is || (was ?? null) === (is ?? null)) return undefined;
    // A number in place of a string is not a valid value, so no stored object contains it: only the notation changed.
    return isSameAmount(was, is, fact) || isSameText(was, is) ? undefined : path;
  };
  const unknownDiffers = (a: unknown, b: unknown, compared: Compared, path: FieldPath): FieldPath | undefined => {
    const [known, other] = [entriesOf(a), entriesOf(b)];
    if (known !== undefined && other !== undefined) {
      const both = Object.keys(known).filter((key) => Object.hasOwn(other, key));
      const onlyOld = isUnknown(b) ? [] : Object.keys(known);
      const onlyNew = isUnknown(a) ? [] : Object.keys(other);
      return firstOf([...new Set([...both, ...onlyNew, ...onlyOld])], (key) => {
        const [was, is] = [storedField(known, key, compared), storedField(other, key, compared)];
        return differ(was, is, belowOf(compared, key), [...path, key]);
      });
    }
    const [was, is] = [asValue(a), asValue(b)];
    return was !== undefined && is !== undefined && isSame(was, is) === 'no' ? path : undefined;
  };
  const listsDiffer = (a: unknown, b: unknown, compared: Compared, path: FieldPath): FieldPath | undefined => {
    const [was, is] = [itemsOf(a), itemsOf(b)];
    if (was === undefined || is === undefined) return path;
    const length = Math.min(was.length, is.length);
    const inside = firstOf(indexes(length), (index) => {
      return differ(was[index], is[index], belowOf(compared, index), [...path, index]);
    });
    if (inside !== undefined || was.length === is.length) return inside;
    return is.length > length ? [...path, length] : path;
  };
  const mapsDiffer = (a: unknown, b: unknown, compared: Compared, path: FieldPath): FieldPath | undefined => {
    if ((!isRecord(a) && a !== undefined && a !== null) || (!isRecord(b) && b !== undefined && b !== null)) return path;
    const keys = new Set([...Object.keys(b ?? {}), ...Object.keys(a ?? {})]);
    return firstOf([...keys], (key) =>
      differ(storedField(a, key, compared), storedField(b, key, compared), belowOf(compared, key), [...path, key]),
    );
  };
  return differ(old, fresh, compared, []);
}

/** Returns the value of a field of a map. Some defaults apply only if a certain other field is absent: such a default is returned if both fields are absent. */
export function storedField(map: unknown, key: string, { stored }: Pick<Compared, 'stored'>): unknown {
  const value = fieldOf(map, key) ?? undefined;
  const fact = below(stored, key)?.fact;
  if (value === undefined && fact?.alias !== undefined) return fieldOf(map, fact.alias) ?? undefined;
  if (value !== undefined || fact?.unless === undefined) return value;
  const other = fieldOf(map, fact.unless.slice(fact.unless.lastIndexOf('.') + 1)) ?? undefined;
  return other === undefined ? fact.default : noDefault;
}

/** Returns a value as it is stored. The server sets the default of a text also if the text is empty. */
function withDefault(value: unknown, fallback: unknown): unknown {
  return value === '' && typeof fallback === 'string' ? fallback : (value ?? fallback);
}

/** Represents a value that is absent and has no default; it equals only itself. */
const noDefault = Symbol('absent');

function isSameAmount(a: unknown, b: unknown, fact: StoredFact | undefined): boolean {
  if (fact?.stored !== 'quantity' && fact?.stored !== 'filledQuantity') return false;
  const amount = amountOf(a);
  return amount !== undefined && amount === amountOf(b);
}

function isSameText(a: unknown, b: unknown): boolean {
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar(a) && isScalar(b) && String(a) === String(b);
}

function belowOf({ stored, free }: Compared, step: string | number): Compared {
  return { stored: below(stored, step), free: below(free, step) };
}

/** Returns the items of a list; empty for no value and for an empty map; undefined for any other value. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const isNone = value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
  return isNone ? [] : undefined;
}

/** Returns the known entries of a map; undefined for a value that is not, or may not be, a map. */
function entriesOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return {};
  if (!isUnknown(value)) return isRecord(value) ? value : undefined;
  const entries = fieldOf(value, 'entries');
  return isRecord(entries) ? entries : undefined;
}

function asValue(value: unknown): Value | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' || isUnknown(value) ? value : undefined;
}

function indexes(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}

function firstOf<T>(items: readonly T[], find: (item: T) => FieldPath | undefined): FieldPath | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
