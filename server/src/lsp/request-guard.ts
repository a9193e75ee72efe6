/** Answers for requests whose work fails, or that nobody waits for any more. */

import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { contain, type Log } from '../log.ts';

/**
 * Runs the work of a request. What it throws is logged as a bug of `name` and answered with `fallback`, also where the work
 * returns a promise; a request that was cancelled is not begun.
 */
export function guard<T>(log: Log, name: string, fallback: T, token: CancellationToken, work: () => T): T {
  if (token.isCancellationRequested) throw cancelled();
  const answer = contain(log, name, work, () => fallback);
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error: unknown) => {
    if (error instanceof ResponseError) throw error;
    log.bug(name, error);
    return fallback;
  }) as T; // the promise of T, with its fallback
}

/** The answer to a request that nobody waits for any more. */
export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
