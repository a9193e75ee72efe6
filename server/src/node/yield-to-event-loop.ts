/** Yields to the event loop during long work, after each slice of 10 ms. */

/** The length of a slice in milliseconds: too short for users to notice a delay. */
const slice = 10;

/**
 * Returns a function that yields to the event loop at the end of each slice, and returns undefined within a slice.
 * `now` is the time in milliseconds.
 */
export function turns(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let end = now() + slice;
  return () => {
    if (now() < end) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        end = now() + slice;
        resolve();
      });
    });
  };
}
