/** Provides conversions of selectors: actions that copy a selector in a different form, conversion of pasted text, and insertion into a manifest. */

import {
  type CodeAction,
  type Connection,
  ErrorCodes,
  Position,
  ResponseError,
  TextDocumentIdentifier,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { copiesAt, pastedAt } from '../features/refactor/convert-selector.ts';
import { type Cursor, insertSelector } from '../features/refactor/insert-selector.ts';
import type { Log } from '../log.ts';
import {
  type DocumentPosition,
  type InsertParams,
  insertRequest,
  type PasteParams,
  pasteRequest,
} from '../protocol.ts';
import type { Session } from '../session.ts';
import { localize } from '../text/localize.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { editToTextEdit, positionToOffset } from './convert.ts';
import { refusal } from './refusal.ts';
import { guard } from './request-guard.ts';
import { copyKind } from './server-capabilities.ts';

interface ConversionParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  readonly log: Log;
}

/** Handles the request that converts pasted text (see `protocol.ts`). */
export function providePastes({ connection, documents, session, log }: ConversionParts): void {
  connection.onRequest(pasteRequest, (given: unknown, token) => {
    const { textDocument, position, text } = readPasteParams(given);
    return guard(log, pasteRequest, null, token, () => {
      const document = documents.get(textDocument.uri);
      if (document === undefined) return null;
      return (
        session.at(canonicalUri(document.uri), positionToOffset(document, position), (view, offset) =>
          pastedAt(view, offset, text),
        ) ?? null
      );
    });
  });
}

/** Handles the request that inserts a selector into a manifest (see `protocol.ts`). */
export function provideInsertions({ connection, documents, session, log }: ConversionParts): void {
  const cursorAt = ({
    textDocument,
    position,
  }: DocumentPosition): (Cursor & { document: TextDocument }) | undefined => {
    const document = documents.get(textDocument.uri);
    const view = document && session.fileView(canonicalUri(document.uri));
    return document && view && { document, view, offset: positionToOffset(document, position) };
  };
  connection.onRequest(insertRequest, (given: unknown, token) => {
    const params = readInsertParams(given);
    return guard(log, insertRequest, null, token, () => {
      const from = cursorAt(params.from);
      const to = cursorAt(params.to);
      if (from === undefined || to === undefined) return refusal(localize`both documents must be open`);
      const insertion = insertSelector(from, to);
      return 'refused' in insertion ? refusal(insertion.refused) : editToTextEdit(to.document, insertion.edit);
    });
  });
}

/** Returns actions that copy the selector at a position in different forms, if the client supports copying. */
export function copyActions(
  session: Session,
  document: TextDocument,
  position: Position,
  { commands }: ClientAbilities,
): CodeAction[] {
  const command = commands.copy;
  if (command === undefined) return [];
  const copies = session.at(canonicalUri(document.uri), positionToOffset(document, position), copiesAt);
  return (copies ?? []).map(({ title, text }) => ({
    title,
    kind: copyKind,
    command: { title, command, arguments: [{ text }] },
  }));
}

/** Other clients may send invalid parameters, so they are validated here. */
function readPasteParams(params: unknown): PasteParams {
  if (typeof params === 'object' && params !== null && 'textDocument' in params && 'position' in params) {
    const { textDocument, position } = params;
    const text = 'text' in params ? params.text : undefined;
    const isPosition = textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position);
    if (isPosition && typeof text === 'string') return { textDocument, position, text };
  }
  const message = localize`The parameters must be { textDocument: { uri }, position, text }.`;
  throw new ResponseError(ErrorCodes.InvalidParams, message);
}

function readInsertParams(params: unknown): InsertParams {
  if (typeof params === 'object' && params !== null && 'from' in params && 'to' in params) {
    const { from, to } = params;
    if (isPosition(from) && isPosition(to)) return { from, to };
  }
  throw new ResponseError(
    ErrorCodes.InvalidParams,
    'The parameters must be { from, to }, each { textDocument: { uri }, position }.',
  );
}

function isPosition(given: unknown): given is DocumentPosition {
  if (typeof given !== 'object' || given === null || !('textDocument' in given && 'position' in given)) return false;
  return given.textDocument !== null && TextDocumentIdentifier.is(given.textDocument) && Position.is(given.position);
}
