/** How are problems handed on with a value? */

import type { Parsed, Problem } from './types.ts';

/** A value with the problems found on the way to it; with any, it is at most `partial`, where it is `worth` keeping. */
export function parsed<T>(problems: readonly Problem[], value: T, worth: boolean): Parsed<T> {
  if (problems.length === 0) return { ok: true, value };
  return worth ? { ok: false, problems, partial: value } : { ok: false, problems };
}

/** Problems of a part of a text as problems of the whole, in which the part begins at `offset`. */
export function moved(problems: readonly Problem[], offset: number): readonly Problem[] {
  if (offset === 0) return problems;
  return problems.map((problem) => ({
    ...problem,
    start: offset + (problem.start ?? 0),
    end: offset + (problem.end ?? 0),
  }));
}
