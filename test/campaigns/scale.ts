/** Scale of the test campaigns: every test run executes a part of each, `npm run test:campaigns` executes all. */

/** The divisor of the runs that are part of every test run. */
const part = 50;

/**
 * Number of runs for a campaign.
 * @param full the number of runs of the whole campaign
 * @returns `full` when the whole campaign was requested, otherwise a fiftieth of it, and at least one
 */
export function campaignRuns(full: number): number {
  return process.env['SELECTOR_LENS_CAMPAIGN'] === 'full' ? full : Math.max(1, Math.round(full / part));
}
