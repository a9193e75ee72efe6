/** An editor for tests of the server over a connection, which records all messages of the server. */
import assert from 'node:assert/strict';
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  CodeActionRequest,
  CompletionRequest,
  ConfigurationRequest,
  createProtocolConnection,
  type Diagnostic,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExitNotification,
  type FileChangeType,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  LogMessageNotification,
  MarkupContent,
  type MessageReader,
  MessageType,
  type MessageWriter,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Registration,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  type TextDocumentContentChangeEvent,
  UnregistrationRequest,
  WorkDoneProgress,
  WorkDoneProgressCreateRequest,
  type WorkspaceFolder,
  WorkspaceFoldersRequest,
} from 'vscode-languageserver/node';
import {
  type ChosenPerspective,
  changesNotification,
  choosePerspectiveNotification,
  indexProgressToken,
  type PerspectiveResult,
  type Preview,
  perspectiveRequest,
  previewRequest,
  type Ready,
  readyNotification,
  reindexRequest,
  whenReadyRequest,
} from '../../server/src/protocol.ts';
import { placeOf } from './places.ts';

/** The capabilities of VS Code that the server uses. */
export const ableEditor: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    diagnostic: { dynamicRegistration: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  workspace: {
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
    workspaceFolders: true,
  },
  window: { workDoneProgress: true },
};

/** An editor that previews edits that need confirmation. */
export const previewingEditor: ClientCapabilities = {
  ...ableEditor,
  textDocument: { ...ableEditor.textDocument, rename: { prepareSupport: true } },
  workspace: {
    ...ableEditor.workspace,
    workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } },
  },
};

/** An old editor: no pull diagnostics, dynamic registration or progress. */
export const plainEditor: ClientCapabilities = {};

/** An editor that only supports code actions. */
export const actingEditor: ClientCapabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } } },
};

export interface ClientOptions {
  readonly capabilities?: ClientCapabilities;
  readonly folders?: readonly string[];
  readonly rootUri?: string;
  /** The section `selectorLens`. */
  readonly settings?: object;
  readonly initializationOptions?: object;
}

/** One editor on one connection. Every method that waits, waits for a message of the server and never for time. */
export class Client {
  readonly connection: ProtocolConnection;
  /** In the order of arrival. */
  readonly log: string[] = [];
  /** Messages shown to the user. */
  readonly shown: string[] = [];
  readonly errors: string[] = [];
  readonly ready: Ready[] = [];
  readonly progress: string[] = [];
  readonly published: PublishDiagnosticsParams[] = [];
  /** The current registrations. */
  registrations: Registration[] = [];
  /** Methods, in the order in which they were registered (`+`) and unregistered (`-`). */
  readonly registered: string[] = [];
  refreshes = 0;
  /** The number of notifications that the changes since the base may differ. */
  changes = 0;
  settings: object;
  /** The settings of workspace folders. */
  readonly settingsByFolder = new Map<string, object>();
  folders: WorkspaceFolder[];
  initialized: InitializeResult = { capabilities: {} };
  /** Delays the response to the request for progress: indexing begins after it. */
  allowProgress: Promise<void> = Promise.resolve();
  readonly #capabilities: ClientCapabilities;
  readonly #rootUri: string | undefined;
  readonly #initializationOptions: object | undefined;
  readonly #waiting = new Set<() => void>();
  #stopped: Promise<void> | undefined;
  readonly #versions = new Map<string, number>();

  constructor(reader: MessageReader, writer: MessageWriter, options: ClientOptions) {
    this.connection = createProtocolConnection(reader, writer);
    this.#capabilities = options.capabilities ?? ableEditor;
    this.#rootUri = options.rootUri;
    this.#initializationOptions = options.initializationOptions;
    this.settings = options.settings ?? {};
    this.folders = (options.folders ?? []).map(asFolder);
    this.#answer();
    this.#remember();
  }

  #answer(): void {
    const { connection } = this;
    connection.onRequest(ConfigurationRequest.type, ({ items }) => {
      return items.map(({ section, scopeUri }) => {
        if (section !== 'selectorLens') return null;
        return (scopeUri !== undefined && this.settingsByFolder.get(scopeUri)) || this.settings;
      });
    });
    connection.onRequest(WorkspaceFoldersRequest.type, () => this.folders);
    connection.onRequest(WorkDoneProgressCreateRequest.type, async ({ token }) => {
      assert.equal(token, indexProgressToken);
      await this.allowProgress;
    });
    connection.onRequest(RegistrationRequest.type, (params) => {
      this.registrations.push(...params.registrations);
      this.registered.push(...params.registrations.map(({ method }) => `+${method}`));
      this.#heard();
    });
    connection.onRequest(UnregistrationRequest.type, ({ unregisterations }) => {
      const gone = new Set(unregisterations.map(({ id }) => id));
      this.registrations = this.registrations.filter(({ id }) => !gone.has(id));
      this.registered.push(...unregisterations.map(({ method }) => `-${method}`));
      this.#heard();
    });
    connection.onRequest(DiagnosticRefreshRequest.type, () => {
      this.refreshes++;
      this.#heard();
    });
  }

  #remember(): void {
    const { connection } = this;
    connection.onNotification(ShowMessageNotification.type, ({ message }) => {
      this.shown.push(message);
    });
    connection.onNotification(LogMessageNotification.type, ({ type, message }) => {
      (type === MessageType.Error ? this.errors : this.log).push(message);
      this.#heard();
    });
    connection.onProgress(WorkDoneProgress.type, indexProgressToken, ({ kind }) => {
      this.progress.push(kind);
      this.#heard();
    });
    connection.onNotification(readyNotification, (ready: Ready) => {
      this.ready.push(ready);
      this.progress.push('ready');
      this.#heard();
    });
    connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.push(params);
      this.#heard();
    });
    connection.onNotification(changesNotification, () => {
      this.changes++;
      this.#heard();
    });
    connection.onUnhandledNotification(({ method }) => this.errors.push(`unexpected notification ${method}`));
    connection.onError(([error]) => this.errors.push(`broken message: ${error.message}`));
  }

  async initialize(): Promise<InitializeResult> {
    this.connection.listen();
    this.initialized = await this.connection.sendRequest(InitializeRequest.type, {
      processId: null,
      rootUri: this.#rootUri ?? null,
      ...(this.#rootUri === undefined && { workspaceFolders: this.folders }),
      capabilities: this.#capabilities,
      ...(this.#initializationOptions && { initializationOptions: this.#initializationOptions }),
    });
    await this.connection.sendNotification(InitializedNotification.type, {});
    return this.initialized;
  }

  /** Waits until a condition holds, which is evaluated after each recorded message. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  #heard(): void {
    for (const look of [...this.#waiting]) look();
  }

  open(uri: string, text: string, languageId = 'yaml'): Promise<void> {
    this.#versions.set(uri, 1);
    return this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  change(uri: string, ...contentChanges: readonly TextDocumentContentChangeEvent[]): Promise<void> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    return this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [...contentChanges],
    });
  }

  save(uri: string): Promise<void> {
    return this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  changedOutside(...changes: readonly (readonly [uri: string, type: FileChangeType])[]): Promise<void> {
    return this.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: changes.map(([uri, type]) => ({ uri, type })),
    });
  }

  changeSettings(settings: object): Promise<void> {
    this.settings = settings;
    return this.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  }

  async addFolder(uri: string): Promise<void> {
    const added = asFolder(uri);
    this.folders = [...this.folders, added];
    await this.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
      event: { added: [added], removed: [] },
    });
  }

  async removeFolder(uri: string): Promise<void> {
    const removed = this.folders.filter((folder) => folder.uri === uri);
    this.folders = this.folders.filter((folder) => folder.uri !== uri);
    await this.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
      event: { added: [], removed },
    });
  }

  perspective(uri: string): Promise<PerspectiveResult | null> {
    return this.connection.sendRequest<PerspectiveResult | null>(perspectiveRequest, { textDocument: { uri } });
  }

  choosePerspective({ scopes = [], values = [] }: Partial<ChosenPerspective>): Promise<void> {
    return this.connection.sendNotification(choosePerspectiveNotification, { scopes, values });
  }

  reindex(): Promise<Ready> {
    return this.connection.sendRequest<Ready>(reindexRequest);
  }

  whenReady(): Promise<Ready> {
    return this.connection.sendRequest<Ready>(whenReadyRequest);
  }

  hoverAt(uri: string, position: Position): Promise<Hover | null> {
    return this.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
  }

  /** The text of the hover at the first occurrence of some words in a document. */
  async hover(uri: string, text: string, words: string): Promise<string> {
    const found = await this.hoverAt(uri, placeOf(text, words));
    assert.ok(found !== null, `there is no hover on ${words}`);
    assert.ok(MarkupContent.is(found.contents));
    return found.contents.value;
  }

  preview(uri: string, position: Position): Promise<Preview | null> {
    return this.connection.sendRequest<Preview | null>(previewRequest, { textDocument: { uri }, position });
  }

  previewText(selector: string): Promise<Preview> {
    return this.connection.sendRequest<Preview>(previewRequest, { selector });
  }

  async pull(uri: string): Promise<readonly Diagnostic[]> {
    const report = await this.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    assert.equal(report.kind, 'full');
    return report.items;
  }

  async fixes(uri: string, diagnostic: Diagnostic): Promise<readonly CodeAction[]> {
    const { range } = diagnostic;
    const context = { diagnostics: [diagnostic], only: [CodeActionKind.QuickFix] };
    const found = await this.connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context });
    return (found ?? []).map((each) => {
      assert.ok('edit' in each, 'a fix comes with its edit');
      return each;
    });
  }

  async completions(uri: string, position: Position): Promise<readonly string[]> {
    const found = await this.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    return (Array.isArray(found) ? found : (found?.items ?? [])).map(({ label }) => label);
  }

  /** Shuts the server down. In no test may the server have reported an error. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    this.connection.end();
    assert.deepEqual(this.errors, [], 'the server reported errors');
  }
}

function asFolder(uri: string): WorkspaceFolder {
  return { uri, name: uri.slice(uri.lastIndexOf('/') + 1) };
}
