/** The current date, and the interface for dates and timers, so that tests do not have to wait. */

export interface Clock {
  /** Returns the current date in UTC, for example `2030-12-31`. */
  today(): string;
  /** Calls `action` once after the given number of milliseconds; the returned function cancels the call. */
  after(milliseconds: number, action: () => void): () => void;
}

const day = 86_400_000;
let last = { number: 0, date: '1970-01-01' };

/** Returns the current date in UTC. The text is created once for each day, because every keystroke requires it. */
export function currentDate(): string {
  const number = Math.floor(Date.now() / day);
  if (number !== last.number) last = { number, date: new Date(number * day).toISOString().slice(0, 10) };
  return last.date;
}
