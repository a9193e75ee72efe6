/**
 * Keeps the heap of a command small. V8 prefers room for garbage: without this a check of 10,000 files peaks at 432 to
 * 455 MB instead of 226 to 242 MB, and saves 8 % of the work.
 *
 * No documented way sets these limits. A process cannot set the options of Node.js for itself, POSIX has no `env -S` for
 * the first line of a script, and the documented options do not bound the old generation: with `--max-semi-space-size=4`
 * the check peaks at 351 to 352 MB, in a worker with `maxYoungGenerationSizeMb: 16` at 388 to 390 MB. A V8 without one of
 * these flags says so on standard error, and goes on. docs/architecture/size.md has all figures.
 */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by `percent` of the used memory between garbage collections, and the young generation to `young`
 * bytes. V8 doubles the young generation while many objects survive; the limit is checked after collections, so the
 * size may exceed it by a few doublings. No V8 option that has an effect after the start sets this limit, and V8
 * shrinks the young generation of an idle process, after which it may grow again. Smaller is not better: objects that
 * live slightly longer than the young generation allows become garbage that only full collections find.
 */
export function keepHeapSmall(percent: number, young: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  const bound = () => setFlagsFromString(`--semi-space-growth-factor=${youngSpace() < young ? 2 : 1}`);
  bound();
  new PerformanceObserver(bound).observe({ entryTypes: ['gc'] });
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find((each) => each.space_name === 'new_space')?.space_size ?? 0;
}
