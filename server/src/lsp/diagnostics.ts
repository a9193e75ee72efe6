/** Provides diagnostics for open documents. Clients that support pull diagnostics request them; for other clients, the server pushes them. */

import {
  type Connection,
  type Diagnostic,
  DiagnosticRefreshRequest,
  type Disposable,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  type FullDocumentDiagnosticReport,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Log } from '../log.ts';
import { documentSelector } from '../protocol.ts';
import type { Finding } from '../rules/framework/rule.ts';
import type { Session } from '../session.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { findingToDiagnostic, spanToRange } from './convert.ts';
import type { OpenFindings } from './findings.ts';
import type { Indexing } from './indexing.ts';
import type { OtherReporters } from './other-tools.ts';
import { guard } from './request-guard.ts';
import type { SyntaxErrors } from './syntax-errors.ts';
import { WorkspaceDiagnostics } from './workspace-diagnostics.ts';

export interface Diagnostics {
  changed(document: TextDocument): void;
  closed(document: TextDocument): void;
  /** Called when the snapshot or other files changed. Any open document may depend on them. */
  refresh(): void;
  /** Called when the settings were received or changed. */
  configured(): void;
}

export interface DiagnosticsParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly session: Session;
  readonly source: FileSource;
  readonly findings: OpenFindings;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly indexing: () => Indexing;
  readonly others: OtherReporters;
  readonly syntaxErrors: SyntaxErrors;
}

/** Returns the capability for `initialize`. If the client supports dynamic registration, the capability is registered later, when the settings are known. */
export function diagnosticProvider({ pullDiagnostics, registerDiagnostics }: ClientAbilities) {
  return pullDiagnostics && !registerDiagnostics ? { diagnosticProvider: promise(false) } : {};
}

function promise(workspaceDiagnostics: boolean) {
  return { identifier: 'selector-lens', interFileDependencies: true, workspaceDiagnostics };
}

/** Handles `textDocument/diagnostic` and `workspace/diagnostic`, or pushes diagnostics. The returned functions must be called after changes. */
export function provideDiagnostics(parts: DiagnosticsParts): Diagnostics {
  const { session, abilities, syntaxErrors } = parts;
  let all: WorkspaceDiagnostics | undefined;
  const open = abilities.pullDiagnostics ? pulled(parts, () => all) : pushed(parts);
  const promiseAnew = promising(parts, () => all);
  return {
    changed: open.changed,
    closed(document) {
      open.closed(document);
      syntaxErrors.closed(document);
      all?.closed(canonicalUri(document.uri));
    },
    refresh() {
      open.refresh();
      all?.refresh();
    },
    configured() {
      const wanted =
        session.workspace.settings.problems === 'workspace' &&
        (!abilities.pullDiagnostics || abilities.registerDiagnostics);
      if (!wanted) {
        all?.end();
        all = undefined;
      } else if (all === undefined) all = new WorkspaceDiagnostics(parts);
      else all.invalidate();
      promiseAnew();
      open.refresh();
    },
  };
}

type OpenDiagnostics = Omit<Diagnostics, 'configured'>;

function pulled(parts: DiagnosticsParts, all: () => WorkspaceDiagnostics | undefined): OpenDiagnostics {
  const { connection, documents, log, abilities } = parts;
  const full = (items: readonly Diagnostic[]): FullDocumentDiagnosticReport => {
    return { kind: DocumentDiagnosticReportKind.Full, items: [...items] };
  };
  connection.languages.diagnostics.on((params, token) =>
    guard<FullDocumentDiagnosticReport | Promise<FullDocumentDiagnosticReport>>(
      log,
      'textDocument/diagnostic',
      full([]),
      token,
      () => {
        const { uri } = params.textDocument;
        const document = documents.get(uri);
        if (document !== undefined)
          return parts.findings.answer(document, token, (found) => full(diagnosticsOf(parts, document, found)));
        // Some editors request diagnostics again after they have closed a document, and continue to show the result.
        return all()?.of(canonicalUri(uri)).then(full) ?? full([]);
      },
    ),
  );
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

function pushed(parts: DiagnosticsParts): OpenDiagnostics {
  const { connection, documents } = parts;
  const push = (document: TextDocument) => {
    const { uri } = document;
    const found = parts.findings.of(canonicalUri(uri), () => documents.get(uri) === document);
    const send = (findings: readonly Finding[]) => {
      if (documents.get(uri) !== document) return;
      const diagnostics = diagnosticsOf(parts, document, findings);
      void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
    };
    if (found instanceof Promise) void found.then(send);
    else send(found);
  };
  return {
    changed: push,
    closed: (document) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }),
    refresh: () => documents.all().forEach(push),
  };
}

function diagnosticsOf(
  { abilities, others, syntaxErrors }: DiagnosticsParts,
  document: TextDocument,
  findings: readonly Finding[],
): Diagnostic[] {
  syntaxErrors.found(document, findings);
  const leftOut = others.alsoReported(findings, document);
  return findings
    .filter((finding) => !leftOut.has(finding))
    .map((finding) => findingToDiagnostic(spanToRange(document, finding.span), finding, abilities));
}

/** Registers pull diagnostics, with or without workspace diagnostics depending on the settings; replaces the previous registration. */
function promising(parts: DiagnosticsParts, all: () => WorkspaceDiagnostics | undefined): () => void {
  const { connection, log, abilities } = parts;
  let promised: boolean | undefined;
  let answering: Disposable | undefined;
  let registered: Promise<Disposable | undefined> = Promise.resolve(undefined);
  const answer = () =>
    connection.languages.diagnostics.onWorkspace(
      (params, token, _, progress) => all()?.pull(params, token, progress) ?? { items: [] },
    );
  return () => {
    const wanted = all() !== undefined;
    if (!abilities.pullDiagnostics || !abilities.registerDiagnostics || promised === wanted) return;
    promised = wanted;
    answering?.dispose();
    answering = wanted ? answer() : undefined;
    registered = registered.then((before) => {
      before?.dispose();
      return connection.client.register(DocumentDiagnosticRequest.type, { documentSelector, ...promise(wanted) });
    });
    registered.catch((error: unknown) => log.warn(`Diagnostics could not be registered: ${error}`));
  };
}
