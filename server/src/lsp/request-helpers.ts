/** Helpers for requests at a position in a document: they look up the document and return a fallback if the document is unknown. */

import type { CancellationToken, Connection, Location, Position, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FileSpan } from '../features/locations.ts';
import type { FileView } from '../features/view.ts';
import type { Log } from '../log.ts';
import type { Session } from '../session.ts';
import { type LineTable, rangeOf } from '../text/lines.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { positionToOffset } from './convert.ts';
import { guard } from './request-guard.ts';

export interface RequestContext {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  readonly log: Log;
  readonly abilities: ClientAbilities;
}

interface DocumentParams {
  readonly textDocument: { readonly uri: string };
}

interface PositionParams extends DocumentParams {
  readonly position: Position;
}

export function inDocument<T>(
  { documents, session, log }: RequestContext,
  name: string,
  fallback: T,
  params: DocumentParams,
  token: CancellationToken,
  handle: (view: FileView, document: TextDocument) => T,
): T {
  return guard(log, name, fallback, token, () => {
    const document = documents.get(params.textDocument.uri);
    const view = document && session.fileView(canonicalUri(document.uri));
    return document === undefined || view === undefined ? fallback : handle(view, document);
  });
}

/** Handles a request at a position in an open document. Returns the fallback if the line is after the end of the document. */
export function atPosition<T>(
  context: RequestContext,
  name: string,
  fallback: T,
  params: PositionParams,
  token: CancellationToken,
  handle: (view: FileView, offset: number, document: TextDocument) => T,
): T {
  return inDocument(context, name, fallback, params, token, (view, document) => {
    if (params.position.line >= document.lineCount) return fallback;
    return handle(view, positionToOffset(document, params.position), document);
  });
}

/** Returns a function that converts canonical URIs to the URIs that the editor uses for open documents. */
export function urisForEditor({ documents }: RequestContext): (uri: string) => string {
  const open = new Map(documents.all().map(({ uri }) => [canonicalUri(uri), uri]));
  return (uri) => open.get(uri) ?? uri;
}

/** Returns a function that converts file positions to LSP locations. It is fastest if consecutive positions are in the same file. */
export function locationsForEditor(context: RequestContext): (location: FileSpan) => Location {
  const uriOf = urisForEditor(context);
  let last: FileSpan['file'] | undefined;
  let uri = '';
  let lines: LineTable = [];
  return ({ file, span }) => {
    if (file !== last) [last, uri, lines] = [file, uriOf(file.uri), file.lines];
    return { uri, range: rangeOf(lines, span) };
  };
}
