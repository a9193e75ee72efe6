/** Starts the language server on a connection with all that the findings of files need; the other features are passed in. */

import { type Connection, type InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Clock } from '../clock.ts';
import type { Catalogue } from '../engine/catalogue/types.ts';
import { preview, previewText } from '../features/pages/preview.ts';
import { contain, eachBugOnce, type Log } from '../log.ts';
import { isKustomizationName } from '../manifests/kustomize/kustomization.ts';
import { mayHoldObjects } from '../manifests/parse-manifest.ts';
import { previewRequest, reindexRequest, whenReadyRequest } from '../protocol.ts';
import '../rules/all.ts';
import { Session } from '../session.ts';
import { replaceControls } from '../text/control-characters.ts';
import { localize, setTranslations, type Translations } from '../text/localize.ts';
import { isReadFirst } from '../workspace/charts/chart-files.ts';
import { isConfigName } from '../workspace/configs.ts';
import type { FileSource } from '../workspace/live/load.ts';
import type { Cache } from '../workspace/store/file-store.ts';
import { canonicalUri, fileNameOf, schemeOf } from '../workspace/uri.ts';
import { followBase } from './base.ts';
import { provideChanges } from './changes.ts';
import { abilitiesOf, type ClientAbilities, canonicalFolders, foldersOf } from './client-capabilities.ts';
import { type OtherActions, provideCodeActions } from './code-actions.ts';
import { positionToOffset } from './convert.ts';
import { provideDiagnostics } from './diagnostics.ts';
import { OpenFindings } from './findings.ts';
import { type Indexing, prepareIndexing } from './indexing.ts';
import { refuseRequests } from './message-check.ts';
import { followOtherTools } from './other-tools.ts';
import { providePerspective } from './perspective.ts';
import { readPreviewParams } from './preview-params.ts';
import { refreshLenses } from './refresh-lenses.ts';
import { guard } from './request-guard.ts';
import { initializeResult } from './server-capabilities.ts';
import { reportSyntaxErrors } from './syntax-errors.ts';
import { provideTools, refuseReviews, type Tools } from './tools.ts';
import { followUserSettings, readUserSettings } from './user-settings.ts';
import { registerWatchers, type Watching, watchFiles, watchMore } from './watched-files.ts';

/** The parts of the server that are different in a Node.js process and in a web worker. */
export interface Environment {
  readonly version: string;
  readonly clock: Clock;
  loadCatalogue(): Promise<Catalogue>;
  /** Creates the source from which files that are not open are read. */
  files(connection: Connection): FileSource;
  /**
   * Creates the tools for AI agents, which use the index of a session; absent in an environment without a file system.
   */
  tools?(session: Session, source: FileSource): Tools;
  /**
   * Creates the cache of some workspace folders in the editor's storage folder; absent in an environment without a file
   * system.
   */
  cache?(storage: string, folders: readonly string[]): Cache;
}

/** Connects the requests for features that no diagnostics need with their handlers, and adds the code actions that are not for findings. */
export type ProvideFeatures = (
  server: ServerParts,
  source: FileSource,
  indexing: Indexing,
  hooks: {
    readonly addActions: (actions: OtherActions) => void;
    /** Lets the editor request everything again that depends on other files. */
    readonly refresh: () => void;
  },
) => void;

/** Runs the server on a connection until the connection closes. The `initialize` request loads the catalogue but reads no workspace files. */
export function startCore(connection: Connection, environment: Environment, provide: ProvideFeatures): void {
  const log = eachBugOnce(connectionLog(connection));
  refuseRequests(connection);
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(async (params) => {
    const { clock } = environment;
    setTranslations(translationsIn(optionsOf(params)['translations']));
    const catalogue = await environment.loadCatalogue();
    const session = new Session({ catalogue, log, clock, ...cacheOf(environment, params) });
    const able = () => abilitiesOf(params);
    const abilities = contain(log, `client capabilities`, able, () => abilitiesOf({ ...params, capabilities: {} }));
    const server: ServerParts = { connection, session, documents, log, abilities, clock };
    const source = environment.files(connection);
    serve(server, source, params, { tools: environment.tools?.(session, source), provide });
    return initializeResult(server.abilities, environment.version);
  });
  documents.listen(connection);
  connection.listen();
}

/** Returns the cache in the storage folder that our own client passes in the initialization options. */
function cacheOf({ cache }: Environment, params: InitializeParams) {
  const storage = optionsOf(params)['storagePath'];
  if (cache === undefined || typeof storage !== 'string' || storage === '') return {};
  return { cacheOf: (folders: readonly string[]) => cache(storage, folders) };
}

/** Returns the translations that a client passes, keyed by the English text. Values that are not strings are ignored. */
function translationsIn(given: unknown): Translations {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** What the features of the server need. */
export interface ServerParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly documents: TextDocuments<TextDocument>;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly clock: Clock;
}

function serve(
  server: ServerParts,
  source: FileSource,
  params: InitializeParams,
  { tools, provide }: { readonly tools: Tools | undefined; readonly provide: ProvideFeatures },
): void {
  const { connection, session, documents, log, abilities } = server;
  const { settings: initial, perspective, ...options } = optionsOf(params);
  const syntaxErrors = reportSyntaxErrors(connection, options['syntaxErrors'] === true);
  const checks = { ...server, source, findings: new OpenFindings(session, source) };
  const others = followOtherTools(checks, () => diagnostics.refresh());
  const diagnostics = provideDiagnostics({ ...checks, others, syntaxErrors, indexing: () => indexing });
  const refresh = () => {
    diagnostics.refresh();
    refreshLenses(server);
    changes();
  };
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const watch = watchMore(connection);
  const changed = () => {
    diagnostics.configured();
    refreshLenses(server);
    changes();
  };
  const base = followBase({ connection, session, source, log }, changed);
  const changes = provideChanges({ connection, session, log, base, isShown: options['changes'] === true });
  const done = (changedOnDisk?: readonly string[]) => {
    if (changedOnDisk === undefined) base.indexed();
    else base.changedOnDisk(changedOnDisk);
    refresh();
    if (!abilities.watchElsewhere) return;
    watch(session.workspace.listed().around, session.workspace.generatedFrom()).catch((error: unknown) => {
      log.warn(`More files cannot be watched: ${error}`);
    });
  };
  const indexing = prepareIndexing(
    { connection, session, source, log, showProgress: abilities.progress, done, settled },
    foldersOf(params),
  );
  const settings = { ...server, indexing, initial, changed };
  answerRequests(server, indexing);
  if (tools === undefined) refuseReviews(connection);
  else provideTools({ connection, log, indexing }, tools);
  providePerspective(server, indexing, perspective, refresh);
  const addActions = provideCodeActions({ ...checks, others, folders: () => indexing.folders });
  provide(server, source, indexing, { addActions, refresh });
  const watching = watchFiles({ ...server, source }, indexing, done);
  if (!abilities.watchFiles) documents.onDidSave(({ document }) => watching.tell(document.uri));
  followDocuments(server, indexing, { ...diagnostics, refresh, rested: changes }, watching);
  connection.onShutdown(() => session.workspace.saved());
  connection.onInitialized(async () => {
    await followUserSettings(settings)
      .catch((error: unknown) => {
        log.warn(`The settings could not be read: ${error}`);
        diagnostics.configured();
      })
      .finally(() => settle());
    if (abilities.watchFiles)
      await registerWatchers(connection).catch((error: unknown) => log.warn(`Files cannot be watched: ${error}`));
    followFolders(server, indexing, () => readUserSettings(settings));
  });
}

/** Returns the initialization options of our own client (see `InitializationOptions`). */
function optionsOf({ initializationOptions }: InitializeParams): Readonly<Record<string, unknown>> {
  return typeof initializationOptions === 'object' && initializationOptions !== null ? initializationOptions : {};
}

function followFolders(
  { connection, abilities, log }: ServerParts,
  indexing: Indexing,
  moved: () => Promise<void>,
): void {
  if (!abilities.folderChanges) return;
  connection.workspace.onDidChangeWorkspaceFolders(async () => {
    try {
      const folders = (await connection.workspace.getWorkspaceFolders()) ?? [];
      indexing.restart(canonicalFolders(folders.map((folder) => folder.uri)));
      await moved();
    } catch (error) {
      log.warn(`The workspace folders could not be read: ${error}`);
    }
  });
}

function followDocuments(
  { documents, session, log, clock }: ServerParts,
  indexing: Indexing,
  diagnostics: {
    refresh(): void;
    rested(): void;
    changed(document: TextDocument): void;
    closed(document: TextDocument): void;
  },
  watching: Watching,
): void {
  const typed = whileTyping(session, clock, () => {
    watching.catchUp();
    diagnostics.refresh();
    diagnostics.rested();
  });
  documents.onDidChangeContent(({ document }) => {
    const uri = canonicalUri(document.uri);
    const text = document.getText();
    const isManifest = mayHoldObjects(text) || isKustomizationName(fileNameOf(uri)) || isConfigName(fileNameOf(uri));
    if ((isManifest || isReadFirst(uri)) && session.workspace.isOpen(uri)) typed();
    const edit = () => session.workspace.edit(uri, text, isVisiting(uri, indexing.folders), document.languageId);
    contain(log, `edit of ${uri}`, edit, () => undefined);
    if (isManifest || isReadFirst(uri) || holdsCommands(session, uri)) void indexing.start();
    if (!session.choices.typing) watching.catchUp();
    diagnostics.changed(document);
  });
  documents.onDidClose(({ document }) => {
    session.workspace.close(canonicalUri(document.uri));
    watching.catchUp();
    diagnostics.closed(document);
  });
}

/** Whether an open file contains commands. Selectors in commands are evaluated against the workspace, like those in manifests. */
function holdsCommands(session: Session, uri: string): boolean {
  return (session.snapshot().files.get(uri)?.manifest.inline?.length ?? 0) > 0;
}

/** The number of milliseconds without a change after which typing is considered paused. */
const restAfter = 1000;

/** Returns a function that must be called at every change. During typing, rules that depend on other files are postponed; after a pause, all diagnostics are requested again. */
function whileTyping(session: Session, clock: Clock, refresh: () => void): () => void {
  let callOff = () => {};
  return () => {
    callOff();
    session.choose({ typing: true });
    callOff = clock.after(restAfter, () => {
      session.choose({ typing: false });
      refresh();
    });
  };
}

/** Whether a file is open but not part of the workspace, such as an old revision of a file (`git:`). Requests for such files are answered nevertheless. */
function isVisiting(uri: string, folders: readonly string[]): boolean {
  const scheme = schemeOf(uri);
  if (scheme === 'file' || scheme === 'untitled') return false;
  return !folders.some((folder) => schemeOf(folder) === scheme);
}

function answerRequests({ connection, documents, session, log }: ServerParts, indexing: Indexing): void {
  connection.onRequest(whenReadyRequest, () => indexing.start());
  connection.onRequest(reindexRequest, () => {
    indexing.restart(indexing.folders);
    return indexing.start();
  });
  connection.onRequest(previewRequest, (given: unknown, token) => {
    const params = readPreviewParams(given);
    return guard(log, previewRequest, null, token, () => {
      if ('selector' in params) return previewText(session.view(), params.selector, params.kinds);
      const document = documents.get(params.textDocument.uri);
      if (document === undefined || params.position.line >= document.lineCount) return null;
      const offset = positionToOffset(document, params.position);
      return (
        session.at(canonicalUri(document.uri), offset, (view, offset) => preview(view, offset, params.kinds)) ?? null
      );
    });
  });
}

function connectionLog(connection: Connection): Log {
  const shown = (message: string) => replaceControls(message, '\n');
  return {
    info: (message) => connection.console.info(shown(message)),
    warn: (message) => connection.console.warn(shown(message)),
    bug(where, error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      connection.console.error(shown(localize`Internal error, please report it. ${where}: ${what}`));
    },
  };
}
