/** Who asks the disk: this thread, or another one while this one goes on? */

/** In milliseconds: longer than any disk at hand takes for a small file. */
const slow = 5;

/**
 * Asks `here`: of a disk at hand this takes less time than to ask another thread. As soon as two in a row take long, as on
 * a drive of the network, asks `aside`, so that what is left is waited for together and holds up nobody. One alone says
 * little: the machine was busy.
 */
export function hereOrAside<T>(here: (path: string) => T, aside: (path: string) => Promise<T>) {
  let slowOnes = 0;
  return (path: string): T | Promise<T> => {
    if (slowOnes === 2) return aside(path);
    const start = performance.now();
    const answer = here(path);
    slowOnes = performance.now() - start > slow ? slowOnes + 1 : 0;
    return answer;
  };
}
