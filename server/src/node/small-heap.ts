/**
 * Keeps the heap of a command small. V8 prefers room for garbage: without this a check of 10,000 files peaks at 394 to
 * 411 MB instead of 196 to 199 MB, and saves an eighth of the work. A process cannot set the documented options of
 * Node.js for itself.
 */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by `percent` of what is used until garbage is collected, and the space for what is new, which V8
 * doubles as long as much of it stays, until it has `young` bytes or, where that is noticed late, a few more doublings.
 * No option that works after the start says the latter, and V8 takes that space back from who has little to do for a
 * while: it may grow again then. Smaller is not better: what lives a little longer than the young space lets it becomes
 * garbage that only the large collections find.
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
