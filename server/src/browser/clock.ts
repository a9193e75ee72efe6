/** Implements the `Clock` interface for a web worker. */

import { type Clock, currentDate } from '../clock.ts';

export const clock: Clock = {
  today: currentDate,
  after(milliseconds, action) {
    const timer = self.setTimeout(action, milliseconds);
    return () => self.clearTimeout(timer);
  },
};
