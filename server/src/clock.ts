/** What day is it, and what comes later? A port, so that no test waits. */

export interface Clock {
  /** The date in UTC: `2030-12-31`. */
  today(): string;
  /** Calls `action` once after so many milliseconds; what it answers calls that off. */
  after(milliseconds: number, action: () => void): () => void;
}
