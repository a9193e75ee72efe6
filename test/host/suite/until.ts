/** Waits for what events bring. */
import type * as vscode from 'vscode';
import { forHostTest } from '../patience.ts';

/**
 * Resolves as soon as something holds, which is looked at again after each event; else rejects with what `shows` then.
 */
export function until(event: vscode.Event<unknown>, holds: () => boolean, shows: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!holds()) return;
      clearTimeout(limit);
      listening.dispose();
      resolve();
    };
    const limit = setTimeout(() => {
      listening.dispose();
      reject(new Error(`It never came to hold. At last:\n${shows()}`));
    }, forHostTest * 0.9);
    const listening = event(look);
    look();
  });
}
