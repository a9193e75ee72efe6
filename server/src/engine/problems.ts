/** Helpers for parse results: a value with its problems, and the offsets of problems. */

import type { Parsed, Problem } from './types.ts';

/** Combines a value with the problems that its parser found. If there are problems, the value becomes `partial`, and only if it is `worth` keeping. */
export function parsed<T>(problems: readonly Problem[], value: T, worth: boolean): Parsed<T> {
  if (problems.length === 0) return { ok: true, value };
  return worth ? { ok: false, problems, partial: value } : { ok: false, problems };
}

/** Converts problems of a part of a text to problems of the whole text, in which the part begins at `offset`. */
export function moved(problems: readonly Problem[], offset: number): readonly Problem[] {
  if (offset === 0) return problems;
  return problems.map((problem) => ({
    ...problem,
    start: offset + (problem.start ?? 0),
    end: offset + (problem.end ?? 0),
  }));
}
