/** Implements the `Clock` interface for a web worker. */

import type { Clock } from '../clock.ts';

export const clock: Clock = {
  today: () => new Date().toISOString().slice(0, 10),
  after(milliseconds, action) {
    const timer = self.setTimeout(action, milliseconds);
    return () => self.clearTimeout(timer);
  },
};
