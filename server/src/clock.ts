/** Interface for the current date and for timers, so that tests do not have to wait. */

export interface Clock {
  /** Returns the current date in UTC, for example `2030-12-31`. */
  today(): string;
  /** Calls `action` once after the given number of milliseconds; the returned function cancels the call. */
  after(milliseconds: number, action: () => void): () => void;
}
