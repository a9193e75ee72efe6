/** Implements the `Clock` interface for a Node.js process. */

import { type Clock, currentDate } from '../clock.ts';

export const clock: Clock = {
  today: currentDate,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
