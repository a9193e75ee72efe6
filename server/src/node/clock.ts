/** Implements the `Clock` interface for a Node.js process. */

import type { Clock } from '../clock.ts';

export const clock: Clock = {
  today: () => new Date().toISOString().slice(0, 10),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
