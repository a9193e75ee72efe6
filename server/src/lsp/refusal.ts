/** The error for a request that is rejected with a reason. */

import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { shownText } from './shown-text.ts';

/** Returns the error for a request that is rejected for the reason `why`. VS Code shows the message as a notification. */
export function refusal(why: string): ResponseError<void> {
  const message = `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`;
  return new ResponseError(LSPErrorCodes.RequestFailed, shownText(message));
}
