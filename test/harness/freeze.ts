/** Freezes values deeply, so that code that modifies them throws. */

/** Freezes a value and everything in it; frozen values are not visited again. */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set());
  return value;
}

function freeze(value: unknown, visited: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || visited.has(value)) return;
  visited.add(value);
  for (const child of Object.values(value)) freeze(child, visited);
  // Last, since a lazy property may be computed and stored on its first access.
  Object.freeze(value);
}
