/** Does anyone change what is not theirs? What is frozen throws when it is written to. */

/** Freezes a value and all that it holds; what was frozen before is not visited again. */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set());
  return value;
}

function freeze(value: unknown, visited: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || visited.has(value)) return;
  visited.add(value);
  for (const child of Object.values(value)) freeze(child, visited);
  // Last, since a property may be read when it is first asked for, and kept.
  Object.freeze(value);
}
