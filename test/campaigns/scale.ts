/** Scale of the test campaigns: every test run does a part of each, `npm run test:campaigns` does all of it. */

/** One in so many runs of a campaign is part of every test run. */
const part = 50;

/**
 * Number of runs for a campaign.
 * @param full the number of runs of the whole campaign
 * @returns `full` when the whole campaign was requested, otherwise a fiftieth of it, and at least one
 */
export function campaignRuns(full: number): number {
  return process.env['SELECTOR_LENS_CAMPAIGN'] === 'full' ? full : Math.max(1, Math.round(full / part));
}
