/** How does an editor get a selector in another form? By actions that copy it, and by what is pasted. */

import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  ErrorCodes,
  Position,
  ResponseError,
  TextDocumentIdentifier,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Log } from '../log.ts';
import { type PasteParams, pasteRequest } from '../protocol.ts';
import type { Service } from '../service.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { positionToOffset } from './convert.ts';
import { guard } from './guard.ts';

interface ConversionParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly service: Service;
  readonly log: Log;
}

/** The kind of the actions that copy a selector. */
export const copyKind = `${CodeActionKind.Refactor}.selectorLens.copy`;

export function providePastes({ connection, documents, service, log }: ConversionParts): void {
  connection.onRequest(pasteRequest, (given: unknown, token) => {
    const { textDocument, position, text } = readPasteParams(given);
    return guard(log, pasteRequest, null, token, () => {
      const document = documents.get(textDocument.uri);
      if (document === undefined) return null;
      return service.pasted(canonicalUri(document.uri), positionToOffset(document, position), text) ?? null;
    });
  });
}

/** The selector at a place in its other forms, for a client that can copy. */
export function copyActions(
  service: Service,
  document: TextDocument,
  position: Position,
  { commands }: ClientAbilities,
): CodeAction[] {
  const command = commands.copy;
  if (command === undefined) return [];
  const copies = service.copies(canonicalUri(document.uri), positionToOffset(document, position));
  return copies.map(({ title, text }) => ({
    title,
    kind: copyKind,
    command: { title, command, arguments: [{ text }] },
  }));
}

/** Other editors write these parameters by hand, so that they are looked at first. */
function readPasteParams(params: unknown): PasteParams {
  if (typeof params === 'object' && params !== null && 'textDocument' in params && 'position' in params) {
    const { textDocument, position } = params;
    const text = 'text' in params ? params.text : undefined;
    const isPlace = textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position);
    if (isPlace && typeof text === 'string') return { textDocument, position, text };
  }
  const message = 'The parameters must be { textDocument: { uri }, position, text }.';
  throw new ResponseError(ErrorCodes.InvalidParams, message);
}
