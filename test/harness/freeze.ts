/** Does anyone change what is not theirs? What is frozen throws when it is written to. */

/** Freezes a value and all that it holds; what was frozen before is not visited again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
