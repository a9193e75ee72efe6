/** How many tests passed and failed? A stage writes its counts where the run of all stages looks for them. */
import { writeFileSync } from 'node:fs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Names the file for the counts; unset when a stage is run by itself. */
export const countsVariable = 'SELECTOR_LENS_COUNTS';

export function writeCounts(counts: Counts): void {
  const file = process.env[countsVariable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
}
