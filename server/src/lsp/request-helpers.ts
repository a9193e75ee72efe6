/** Helpers for requests at a position of a document: they find the document, and return a fallback if it is unknown. */

import type { CancellationToken, Connection, Location, Position, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FilePlace } from '../features/locations.ts';
import type { FileView } from '../features/view.ts';
import type { Log } from '../log.ts';
import type { Session } from '../session.ts';
import type { LineTable } from '../text/lines.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { positionToOffset, spanInLines } from './convert.ts';
import { guard } from './request-guard.ts';

export interface Door {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  readonly log: Log;
  readonly abilities: ClientAbilities;
}

interface Asked {
  readonly textDocument: { readonly uri: string };
}

interface AskedAt extends Asked {
  readonly position: Position;
}

/** Handles a request about an open document. */
export function inDocument<T>(
  { documents, session, log }: Door,
  name: string,
  fallback: T,
  params: Asked,
  token: CancellationToken,
  ask: (view: FileView, document: TextDocument) => T,
): T {
  return guard(log, name, fallback, token, () => {
    const document = documents.get(params.textDocument.uri);
    const view = document && session.fileView(canonicalUri(document.uri));
    return document === undefined || view === undefined ? fallback : ask(view, document);
  });
}

/** Handles a request at a position of an open document. For a line after the end it returns the fallback. */
export function atPosition<T>(
  door: Door,
  name: string,
  fallback: T,
  params: AskedAt,
  token: CancellationToken,
  ask: (view: FileView, offset: number, document: TextDocument) => T,
): T {
  return inDocument(door, name, fallback, params, token, (view, document) => {
    if (params.position.line >= document.lineCount) return fallback;
    return ask(view, positionToOffset(document, params.position), document);
  });
}

/** Returns a function from canonical URIs to those of the editor, which open documents keep. */
export function urisForEditor({ documents }: Door): (uri: string) => string {
  const open = new Map(documents.all().map(({ uri }) => [canonicalUri(uri), uri]));
  return (uri) => open.get(uri) ?? uri;
}

/** Returns a function from file positions to LSP locations. It is fastest if positions are grouped by file. */
export function placesForEditor(door: Door): (place: FilePlace) => Location {
  const uriOf = urisForEditor(door);
  let last: FilePlace['file'] | undefined;
  let uri = '';
  let lines: LineTable = [];
  return ({ file, span }) => {
    if (file !== last) [last, uri, lines] = [file, uriOf(file.uri), file.lines];
    return { uri, range: spanInLines(lines, span) };
  };
}
