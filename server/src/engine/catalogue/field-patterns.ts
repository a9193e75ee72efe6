/** Facts about fields, by path patterns: `[]` matches every item of a list, `*` every key of a map. */

export interface FieldPatterns<T> {
  readonly fact?: T;
  /** The patterns for the next step of a path, keyed by the step: a key, `*` or `[]`. */
  readonly below: ReadonlyMap<string, FieldPatterns<T>>;
}

interface Growing<T> {
  fact?: T;
  readonly below: Map<string, Growing<T>>;
}

/** Builds patterns from facts and their paths; if two facts have the same path, the later one applies. */
export function fieldPatterns<T>(facts: Iterable<readonly [path: string, fact: T]>): FieldPatterns<T> {
  const root: Growing<T> = { below: new Map() };
  for (const [path, fact] of facts) {
    let at = root;
    for (const step of stepsOf(path)) {
      const next = at.below.get(step) ?? { below: new Map<string, Growing<T>>() };
      at.below.set(step, next);
      at = next;
    }
    at.fact = fact;
  }
  return root;
}

/** Returns the patterns below a key of a map, or (for a number) below an item of a list. */
export function below<T>(patterns: FieldPatterns<T> | undefined, step: string | number): FieldPatterns<T> | undefined {
  if (typeof step === 'number') return patterns?.below.get('[]');
  return patterns?.below.get(step) ?? patterns?.below.get('*');
}

/** Returns the patterns below a path. */
export function patternsAt<T>(patterns: FieldPatterns<T>, path: string): FieldPatterns<T> | undefined {
  return stepsOf(path).reduce<FieldPatterns<T> | undefined>((at, step) => at?.below.get(step), patterns);
}

/** Splits a path such as `spec.containers[].image` or `metadata.labels[example.com/key]` into steps; a key in brackets may contain dots. */
export function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(/\[\]|\[([^[\]]+)\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
}
