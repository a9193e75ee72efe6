/** How does a request answer when something breaks or nobody waits for it any more? Politely. */

import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Log } from '../log.ts';

/** Runs the work of a request: what it throws is logged by name and `fallback` answered, what is cancelled is not begun. */
export function guard<T>(log: Log, name: string, fallback: T, token: CancellationToken, work: () => T): T {
  if (token.isCancellationRequested) throw cancelled();
  try {
    return work();
  } catch (error) {
    log.bug(name, error);
    return fallback;
  }
}

/** The answer to a request that nobody waits for any more. */
export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
