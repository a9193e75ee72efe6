/** Processes calls one at a time, and prepares for the next call while no call waits. */

/** The time in milliseconds without further changes before a preparation begins. */
const delay = 30;

/** The maximum duration of a preparation in milliseconds. */
const longest = 2_000;

export class CallQueue {
  readonly #prepare: (isStopped: () => boolean) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `prepare` should end soon after `isStopped` returns true. Its errors, and errors of `after`, are passed to `onError`. */
  constructor(prepare: (isStopped: () => boolean) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#prepare = prepare;
    this.#onError = onError;
  }

  /** Processes a call after the calls before it, and then calls `after`, for which the answer does not wait. */
  call<Answer>(work: () => Promise<Answer>, after: () => Promise<unknown>): Promise<Answer> {
    this.#waiting++;
    const answer = this.#last.then(() => {
      this.#waiting--;
      return work();
    });
    this.#last = answer.then(after).catch(this.#onError);
    return answer;
  }

  /** Prepares for the next call soon, unless there is one before. */
  prepareSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#waiting > 0) return;
      const prepare = () => {
        const end = performance.now() + longest;
        return this.#prepare(() => this.#waiting > 0 || performance.now() > end);
      };
      this.#last = this.#last.then(prepare).catch(this.#onError);
    }, delay).unref();
  }
}
