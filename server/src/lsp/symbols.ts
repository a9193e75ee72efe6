/** Provides the symbols of a document, and the search for objects and labels in the workspace. */

import { type DocumentSymbol, type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { documentSymbols, type FileSymbol } from '../features/navigation/document-symbols.ts';
import { workspaceSymbols } from '../features/navigation/workspace-symbols.ts';
import { spanToRange } from './convert.ts';
import { guard } from './request-guard.ts';
import { inDocument, locationsForEditor, type RequestContext } from './request-helpers.ts';
import { shownText } from './shown-text.ts';

type Kinds = Readonly<Record<FileSymbol['kind'], SymbolKind>>;

const laterKinds: Kinds = {
  object: SymbolKind.Object,
  labels: SymbolKind.Field,
  label: SymbolKind.Key,
  selector: SymbolKind.Operator,
};

const firstKinds: Kinds = {
  object: SymbolKind.Class,
  labels: SymbolKind.Field,
  label: SymbolKind.Property,
  selector: SymbolKind.Function,
};

/** Handles `textDocument/documentSymbol` and `workspace/symbol`. */
export function provideSymbols(context: RequestContext): void {
  const { connection, session, log, abilities } = context;
  connection.onDocumentSymbol((params, token) =>
    inDocument<DocumentSymbol[] | SymbolInformation[]>(
      context,
      'textDocument/documentSymbol',
      [],
      params,
      token,
      (view, document) => {
        const symbols = documentSymbols(view);
        const kinds = abilities.laterSymbolKinds.document ? laterKinds : firstKinds;
        if (abilities.nestedSymbols) return symbols.map((symbol) => nested(document, kinds, symbol));
        return symbols.flatMap((symbol) => flat(document, kinds, symbol, undefined));
      },
    ),
  );
  connection.onWorkspaceSymbol((params, token) =>
    guard(log, 'workspace/symbol', [], token, () => {
      const locationOf = locationsForEditor(context);
      const kinds = abilities.laterSymbolKinds.workspace ? laterKinds : firstKinds;
      return workspaceSymbols(session.view(), params.query ?? '').map(({ kind, name, container, place }) => ({
        name: shownText(name),
        kind: kinds[kind],
        ...(container !== '' && { containerName: shownText(container) }),
        location: locationOf(place),
      }));
    }),
  );
}

function nested(document: TextDocument, kinds: Kinds, symbol: FileSymbol): DocumentSymbol {
  return {
    name: shownText(symbol.name),
    ...(symbol.detail !== '' && { detail: shownText(symbol.detail) }),
    kind: kinds[symbol.kind],
    range: spanToRange(document, symbol.span),
    selectionRange: spanToRange(document, symbol.nameSpan),
    children: symbol.children.map((child) => nested(document, kinds, child)),
  };
}

function flat(
  document: TextDocument,
  kinds: Kinds,
  symbol: FileSymbol,
  container: string | undefined,
): SymbolInformation[] {
  const location = { uri: document.uri, range: spanToRange(document, symbol.nameSpan) };
  const itself = {
    name: shownText(symbol.name),
    kind: kinds[symbol.kind],
    location,
    ...(container && { containerName: shownText(container) }),
  };
  return [itself, ...symbol.children.flatMap((child) => flat(document, kinds, child, symbol.name))];
}
