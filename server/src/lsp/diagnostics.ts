/** How does the editor learn what is wrong? It pulls where it can, else we push; never both. */

import {
  type Connection,
  DiagnosticRefreshRequest,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Log } from '../log.ts';
import type { Service } from '../service.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { findingToDiagnostic } from './convert.ts';
import { guard } from './guard.ts';

export interface Diagnostics {
  /** The document has a new text. */
  changed(document: TextDocument): void;
  closed(document: TextDocument): void;
  /** Something else changed that every open document may depend on: settings, or the whole picture. */
  refresh(): void;
}

interface DiagnosticsParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly service: Service;
  readonly log: Log;
}

export function provideDiagnostics(parts: DiagnosticsParts, abilities: ClientAbilities): Diagnostics {
  return abilities.pullDiagnostics ? pulled(parts, abilities) : pushed(parts, abilities);
}

function pulled({ connection, documents, service, log }: DiagnosticsParts, abilities: ClientAbilities): Diagnostics {
  connection.languages.diagnostics.on((params, token) => {
    const empty: FullDocumentDiagnosticReport = { kind: DocumentDiagnosticReportKind.Full, items: [] };
    return guard(log, 'textDocument/diagnostic', empty, token, () => {
      const document = documents.get(params.textDocument.uri);
      return document === undefined ? empty : { ...empty, items: diagnosticsOf(service, document, abilities) };
    });
  });
  return {
    changed() {},
    closed() {},
    refresh() {
      if (!abilities.refreshDiagnostics) return;
      connection
        .sendRequest(DiagnosticRefreshRequest.type)
        .catch((error: unknown) => log.warn(`Diagnostics were not refreshed: ${error}`));
    },
  };
}

function pushed({ connection, documents, service }: DiagnosticsParts, abilities: ClientAbilities): Diagnostics {
  const push = (document: TextDocument) => {
    const diagnostics = diagnosticsOf(service, document, abilities);
    void connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  };
  return {
    changed: push,
    closed: (document) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }),
    refresh: () => documents.all().forEach(push),
  };
}

function diagnosticsOf(service: Service, document: TextDocument, abilities: ClientAbilities) {
  return service
    .findings(canonicalUri(document.uri))
    .map((finding) => findingToDiagnostic(document, finding, abilities));
}
