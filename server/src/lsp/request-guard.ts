/** Runs request handlers safely: if a handler fails, a fallback is returned, and a request that was cancelled before its handler started returns an error. */

import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { contain, type Log } from '../log.ts';
import { localize } from '../text/localize.ts';

/** Runs the handler of a request. Errors are logged as bugs in `name` and answered with `fallback`, also if a returned promise is rejected; only a `ResponseError` of such a promise is passed on. A handler is not started for a request that is already cancelled. */
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

export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, localize`The request was cancelled.`);
}
