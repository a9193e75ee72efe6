/** Port for the current date and for timers, so that tests do not wait. */

export interface Clock {
  /** The date in UTC: `2030-12-31`. */
  today(): string;
  /** Calls `action` once after some milliseconds; the returned function cancels the call. */
  after(milliseconds: number, action: () => void): () => void;
}
