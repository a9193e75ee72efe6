/** Compares plain data except for the offsets in its spans. */

/**
 * Whether two values are equal except for the offsets in their spans (`{ start, end }`). The offsets must be in the
 * same order, so that comparing two of them gives the same result in both values. Values are plain data without cycles.
 */
export function equalExceptSpans(a: unknown, b: unknown): boolean {
  const offsets = new Map<number, number>();
  return equal(a, b, offsets) && haveSameOrder(offsets);
}

/** `offsets` collects the offset in the second version for each offset in the first version. */
function equal(a: unknown, b: unknown, offsets: Map<number, number>): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((each: unknown, at) => equal(each, b[at], offsets));
  }
  const [fieldsOfA, fieldsOfB] = [fieldsOf(a), fieldsOf(b)];
  if (fieldsOfA.size !== fieldsOfB.size) return false;
  if (isSpan(fieldsOfA) && isSpan(fieldsOfB)) {
    return ['start', 'end'].every((key) => isPair(fieldsOfA.get(key), fieldsOfB.get(key), offsets));
  }
  return [...fieldsOfA].every(([key, value]) => fieldsOfB.has(key) && equal(value, fieldsOfB.get(key), offsets));
}

/** Returns the fields of an object that have a defined value, because a field with an undefined value equals an absent field. */
function fieldsOf(object: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object).filter(([, value]) => value !== undefined));
}

function isSpan(fields: ReadonlyMap<string, unknown>): boolean {
  return fields.size === 2 && typeof fields.get('start') === 'number' && typeof fields.get('end') === 'number';
}

/** Whether an offset of the first version always corresponds to the same offset of the second version. */
function isPair(a: unknown, b: unknown, offsets: Map<number, number>): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return false;
  const known = offsets.get(a);
  offsets.set(a, b);
  return known === undefined || known === b;
}

function haveSameOrder(offsets: ReadonlyMap<number, number>): boolean {
  const pairs = [...offsets].toSorted(([a], [b]) => a - b);
  return pairs.every(([, offset], at) => at === 0 || (pairs[at - 1]?.[1] ?? 0) < offset);
}
