/**
 * Timeouts of the tests inside VS Code. They are long: a busy machine is slow, and waiting only costs time if a test
 * fails.
 */

/** For expected content of a window, and for a window itself. */
export const forWindow = 120_000;

/** For the effect of a gesture before it is repeated; doubled each time. */
export const forGesture = 4_000;

/** For one test inside the extension host. */
export const forHostTest = 120_000;

/** For a test as a whole. */
export const forTest = 600_000;

/** For a stage of the run of all tests. */
export const forStage = 30 * 60_000;
