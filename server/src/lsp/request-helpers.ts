/** What does every request about a place of a document share? It finds the document, and answers nothing where there is none. */

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

/** Answers about a document that is open. */
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

/** Answers about an offset of a document that is open. A line that is not there has nothing to say. */
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

/** How the editor calls files: open ones as it named them itself. */
export function urisForEditor({ documents }: Door): (uri: string) => string {
  const open = new Map(documents.all().map(({ uri }) => [canonicalUri(uri), uri]));
  return (uri) => open.get(uri) ?? uri;
}

/** How places look to the editor. Those of one file follow each other, and its lines are looked up once. */
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
