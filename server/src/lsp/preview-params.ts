/** Validates the parameters of a preview request, because users of other editors write these parameters by hand. */

import { ErrorCodes, Position, ResponseError, TextDocumentIdentifier } from 'vscode-languageserver';
import { isListOfStrings } from '../engine/structured.ts';
import type { PreviewParams } from '../protocol.ts';
import { localize } from '../text/localize.ts';

/** Parses the parameters. Throws the error response if they are invalid. */
export function readPreviewParams(params: unknown): PreviewParams {
  if (typeof params === 'object' && params !== null) {
    const kinds = 'kinds' in params && isListOfStrings(params.kinds) ? { kinds: params.kinds } : {};
    if ('selector' in params && typeof params.selector === 'string') return { selector: params.selector, ...kinds };
    if ('textDocument' in params && 'position' in params) {
      const { textDocument, position } = params;
      if (textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position))
        return { textDocument, position, ...kinds };
    }
  }
  const message = localize`The parameters must be { textDocument: { uri }, position } or { selector }.`;
  throw new ResponseError(ErrorCodes.InvalidParams, message);
}
