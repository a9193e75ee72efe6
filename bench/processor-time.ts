/** Measures the work of another process. */

import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time of all threads of a process, in milliseconds; NaN if the system does not provide it. */
export function processorTime(pid: number | null | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + timeOf(`/proc/${pid}/task/${thread}/schedstat`), 0);
}

function timeOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // The thread has ended.
    return 0;
  }
}
