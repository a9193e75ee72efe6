/** What does a preview ask for? Other editors write these parameters by hand, so that they are looked at first. */

import { ErrorCodes, Position, ResponseError, TextDocumentIdentifier } from 'vscode-languageserver';
import type { PreviewParams } from '../protocol.ts';

/** Throws the error that the editor is answered with, where the parameters make no sense. */
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
  const message = 'The parameters must be { textDocument: { uri }, position } or { selector }.';
  throw new ResponseError(ErrorCodes.InvalidParams, message);
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
