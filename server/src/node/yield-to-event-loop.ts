/** Yields to the event loop during long work, after each slice of 10 ms. */

/** In milliseconds: short enough that nobody notices that an answer waited for it. */
const slice = 10;

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
