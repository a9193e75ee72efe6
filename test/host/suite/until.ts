/** Waits for conditions that depend on events. */
import type * as vscode from 'vscode';
import { forHostTest } from '../patience.ts';

/**
 * Resolves when a condition holds, which is evaluated after each event; otherwise rejects with the result of `shows`.
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
