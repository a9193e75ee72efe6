/**
 * How long do the tests inside VS Code wait? Long: a busy machine is slow, and waiting costs only where something is
 * broken.
 */

/** For what a window must show, and for a window itself. */
export const forWindow = 120_000;

/** For the effect of a gesture before it is made once more; each time twice as long. */
export const forGesture = 4_000;

/** For one test inside the extension host. */
export const forHostTest = 120_000;

/** For a test, with all that it waits for. */
export const forTest = 600_000;

/** For a stage of the run of all tests. */
export const forStage = 25 * 60_000;
