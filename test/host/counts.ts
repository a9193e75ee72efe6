/** Writes the numbers of passed and failed tests of a stage to the file that the run of all stages reads. */
import { writeFileSync } from 'node:fs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** An environment variable with the path of the file for the counts; not set if a stage runs alone. */
export const countsVariable = 'SELECTOR_LENS_COUNTS';

/** Writes the counts, if the file is set. */
export function writeCounts(counts: Counts): void {
  const file = process.env[countsVariable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
}
