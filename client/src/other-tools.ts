/**
 * Sends the server the diagnostics that other extensions report in checked documents, so that no problem is shown
 * twice.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { State } from 'vscode-languageclient';
import { type OtherDiagnostics, otherDiagnosticsNotification } from '../../server/src/protocol.ts';
import { languages } from './languages.ts';

/** The source of the diagnostics that this extension reports. */
const ownSource = 'selector-lens';

/** The maximum number of diagnostics per document. */
const maximumDiagnostics = 1000;

/** Sends the diagnostics of open manifests to the server, and sends them again when they change. */
export function followOtherDiagnostics(client: BaseLanguageClient): vscode.Disposable {
  /** The diagnostics that were last sent for each document, as JSON, by the URI that the server uses. */
  const sent = new Map<string, string>();
  const send = (uris: readonly vscode.Uri[]) => {
    if (!client.isRunning()) return;
    for (const uri of uris) {
      const params = otherDiagnosticsOf(client, uri);
      const text = JSON.stringify(params.diagnostics);
      if (text === (sent.get(params.textDocument.uri) ?? '[]')) continue;
      sent.set(params.textDocument.uri, text);
      void client.sendNotification(otherDiagnosticsNotification, params);
    }
  };
  const sendAll = () => send(openManifests().map(({ uri }) => uri));
  return vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const changed = new Set(uris.map(String));
      send(openManifests().flatMap(({ uri }) => (changed.has(uri.toString()) ? [uri] : [])));
    }),
    // The server knows a document only while it is open.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isManifest(document)) send([document.uri]);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => sent.delete(client.code2ProtocolConverter.asUri(uri))),
    client.onDidChangeState(({ newState }) => {
      sent.clear();
      if (newState === State.Running) sendAll();
    }),
  );
}

function openManifests(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(isManifest);
}

function isManifest({ languageId }: vscode.TextDocument): boolean {
  return languages.includes(languageId);
}

function otherDiagnosticsOf(client: BaseLanguageClient, uri: vscode.Uri): OtherDiagnostics {
  const { asUri, asRange, asDiagnosticSeverity } = client.code2ProtocolConverter;
  const found = vscode.languages.getDiagnostics(uri).filter(({ source, severity }) => {
    return source !== ownSource && severity <= vscode.DiagnosticSeverity.Warning;
  });
  const diagnostics = found.slice(0, maximumDiagnostics).map(({ range, severity, source }) => {
    return { range: asRange(range), severity: asDiagnosticSeverity(severity), ...(source !== undefined && { source }) };
  });
  return { textDocument: { uri: asUri(uri) }, diagnostics };
}
