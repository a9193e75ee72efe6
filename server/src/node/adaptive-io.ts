/**
 * Reads synchronously on fast disks, and falls back to asynchronous I/O after two consecutive calls slower than 5 ms.
 */

/** A call that takes longer is slow, in milliseconds: a local disk reads a small file faster. */
const slow = 5;

/** Returns a function that calls `here`, a synchronous function that is faster than asynchronous I/O on a local disk. After two consecutive slow calls, as on a network drive, it calls the asynchronous function `aside` instead, so that calls run in parallel and do not block the process. A single slow call is ignored, because the machine may have been busy. */
export function syncOrAsync<T>(here: (path: string) => T, aside: (path: string) => Promise<T>) {
  let slowOnes = 0;
  return (path: string): T | Promise<T> => {
    if (slowOnes === 2) return aside(path);
    const start = performance.now();
    const answer = here(path);
    slowOnes = performance.now() - start > slow ? slowOnes + 1 : 0;
    return answer;
  };
}
