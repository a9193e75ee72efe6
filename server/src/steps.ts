/** Long work in steps, between which a process can do other work. */

/** Work that stops after each step until it is continued. */
export type Steps<T> = Generator<undefined, T>;

/** Does all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does steps until `pause` lets other work run; the result is then a promise. */
export function inSlices<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const paused = pause();
    if (paused !== undefined) return paused.then(() => inSlices(steps, pause));
  }
}
