/** Starts everything that needs a manifest: the language client, and the views and commands that use it. */
import * as vscode from 'vscode';
import { type BaseLanguageClient, type LanguageClientOptions, State } from 'vscode-languageclient';
import {
  type InitializationOptions,
  indexProgressToken,
  type Ready,
  readyNotification,
  reindexRequest,
  type SyntaxErrorAt,
  syntaxErrorNotification,
  type ToolResult,
  toolRequest,
  whenReadyRequest,
} from '../../server/src/protocol.ts';
import type { Session } from './activation.ts';
import { adoptLabels } from './adopt-labels.ts';
import { canReach } from './can-reach.ts';
import { ChangesView } from './changes-view.ts';
import { commands } from './commands.ts';
import { completionMiddleware } from './completion.ts';
import { answerFileRequests } from './files.ts';
import { completeStep, followFixes } from './get-started.ts';
import { GitBase } from './git-base.ts';
import { ManifestInsertion } from './insert-selector.ts';
import { labelMatches } from './label-matches.ts';
import { commandLanguages, languages } from './languages.ts';
import { MatchesChoice } from './matches-choice.ts';
import { MatchesView } from './matches-view.ts';
import { followOtherDiagnostics } from './other-tools.ts';
import { explainObject, openRulePage, Pages, showLabels } from './pages.ts';
import { offerConvertedPastes } from './paste.ts';
import { PerspectiveStatus, rememberedPerspective } from './perspective.ts';
import { SelectorMap } from './selector-map.ts';
import { showReferences } from './show-references.ts';
import { IndexStatus } from './status.ts';
import { TriedSelectors, trySelector } from './try-selector.ts';
import { TypedText } from './typed-text.ts';

/**
 * Starts the language client, and the views and commands that need it. `createClient` creates the client for a process
 * or a worker.
 */
export async function startSession(
  context: vscode.ExtensionContext,
  createClient: (options: LanguageClientOptions) => BaseLanguageClient,
): Promise<Session> {
  const extension = context.extensionUri;
  const log = vscode.window.createOutputChannel('Selector Lens', { log: true });
  const status = new IndexStatus();
  const typed = new TypedText();
  const client = createClient(clientOptions(context, log, status, typed));
  typed.follow(client);
  const pages = new Pages();
  const view = new MatchesView(client, new MatchesChoice(context.workspaceState), status);
  const tried = new TriedSelectors(context.workspaceState);
  const insertion = new ManifestInsertion(client);
  const perspective = new PerspectiveStatus(client, context.workspaceState, () => {
    view.refresh();
    map.refresh();
  });
  const map = new SelectorMap(client, extension, (path, document) => perspective.choose({ path }, document));
  const base = new GitBase(client, log);
  const changes = new ChangesView(client, base);
  context.subscriptions.push(
    log,
    status,
    view,
    tried,
    typed,
    followFixes(() => typed.hides),
    map,
    base,
    changes,
    insertion,
    perspective,
    pages,
    answerFileRequests(client),
    offerConvertedPastes(client),
    followOtherDiagnostics(client),
    base.onDidCompare((comparison) => {
      status.compared(comparison.kind === 'compared' ? comparison.name : undefined);
    }),
    followState(client, status),
    client.onNotification(syntaxErrorNotification, (error: SyntaxErrorAt) => status.syntaxError(error)),
    client.onNotification(readyNotification, (ready: Ready) => {
      status.ready(ready);
      view.refresh();
      map.refresh();
      void perspective.refresh();
    }),
  );
  await vscode.commands.executeCommand('setContext', 'selectorLens.active', true);
  await startClient(client, log);
  const parts = { client, log, view, tried, map, changes, insertion, perspective, pages, extension };
  return {
    whenReady: () => client.sendRequest<Ready>(whenReadyRequest),
    run: (command, argument) => run(command, argument, parts),
    callTool: (params, token) => client.sendRequest<ToolResult>(toolRequest, params, token),
    stop: () => client.dispose(),
  };
}

/** Starts the language server. If this fails, it says so, and the session remains usable for the log and another start. */
async function startClient(client: BaseLanguageClient, log: vscode.LogOutputChannel): Promise<void> {
  try {
    await client.start();
  } catch (error) {
    log.error('The language server did not start.', error);
    void offerLog(vscode.l10n.t('The language server of Selector Lens did not start.'), log);
  }
}

async function offerLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const show = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, show)) === show) log.show();
}

function followState(client: BaseLanguageClient, status: IndexStatus): vscode.Disposable {
  return client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) void requestUntilReady(client, status);
    else if (newState === State.Starting) status.busy();
    else status.stopped();
  });
}

/** Waits until the server has indexed the workspace. The request starts indexing, so that the first hover does not have to wait. */
async function requestUntilReady(client: BaseLanguageClient, status: IndexStatus): Promise<void> {
  try {
    status.ready(await client.sendRequest<Ready>(whenReadyRequest));
  } catch (error) {
    client.debug('The language server did not report that it is ready.', error, false);
  }
}

function clientOptions(
  context: vscode.ExtensionContext,
  outputChannel: vscode.LogOutputChannel,
  status: IndexStatus,
  typed: TypedText,
): LanguageClientOptions {
  return {
    // The scheme is not limited, so files, untitled documents and virtual file systems are included; the server decides
    // which documents to index.
    documentSelector: [
      ...[...languages, ...commandLanguagesOn()].map((language) => ({ language })),
      // The language id of chart helpers depends on the installed extensions.
      { pattern: '**/templates/**/*.tpl' },
    ],
    outputChannel,
    middleware: {
      ...completionMiddleware,
      provideDiagnostics: typed.provideDiagnostics,
      async provideHover(document, position, token, next) {
        const hover = await next(document, position, token);
        if (hover) completeStep('hovered');
        return hover;
      },
      handleWorkDoneProgress(token, progress, next) {
        if (token !== indexProgressToken) next(token, progress);
        else if (progress.kind !== 'end') status.busy(progress.percentage);
      },
    },
    initializationOptions: (): InitializationOptions => ({
      storagePath: context.globalStorageUri.fsPath,
      syntaxErrors: true,
      changes: true,
      ...(vscode.l10n.bundle && { translations: vscode.l10n.bundle }),
      ...rememberedPerspective(context.workspaceState),
      commands: {
        preview: commands.showMatches,
        peek: commands.peekMatches,
        references: commands.showReferences,
        explain: commands.explainObject,
        copy: commands.copySelector,
        rulePage: commands.openRulePage,
        label: commands.labelMatches,
        insert: commands.insertSelector,
        perspective: commands.choosePerspective,
      },
    }),
    // The server escapes text from the workspace, so command links can only come from the server itself.
    markdown: { isTrusted: { enabledCommands: [commands.showMatches, commands.copySelector, commands.explainObject] } },
  };
}

interface Parts {
  readonly client: BaseLanguageClient;
  readonly log: vscode.LogOutputChannel;
  readonly view: MatchesView;
  readonly tried: TriedSelectors;
  readonly map: SelectorMap;
  readonly changes: ChangesView;
  readonly insertion: ManifestInsertion;
  readonly perspective: PerspectiveStatus;
  readonly pages: Pages;
  readonly extension: vscode.Uri;
}

/**
 * The languages in whose commands selectors are searched, by the settings of the user: documents of other languages are
 * not synchronized.
 */
function commandLanguagesOn(): readonly string[] {
  const chosen = vscode.workspace.getConfiguration('selectorLens').get<Record<string, unknown>>('inlineSelectors', {});
  return Object.entries(commandLanguages).flatMap(([name, ids]) => (chosen[name] === false ? [] : ids));
}

async function run(command: string, argument: unknown, parts: Parts): Promise<void> {
  const { client, log, view, tried, map, changes, insertion, perspective, pages, extension } = parts;
  const isDown = client.state === State.Stopped || client.state === State.StartFailed;
  if (isDown && command !== commands.showLog && command !== commands.restartServer)
    return offerLog(vscode.l10n.t('The language server of Selector Lens is not running.'), log);
  switch (command) {
    case commands.showMatches:
      return view.show(argument);
    case commands.peekMatches:
      return view.peek(argument);
    case commands.showMap:
      return map.show();
    case commands.copySelector:
      return view.copySelector(argument);
    case commands.openMatch:
      return view.open(argument);
    case commands.showReferences:
      return showReferences(argument);
    case commands.pinMatches:
      return view.pin();
    case commands.unpinMatches:
      return view.unpin();
    case commands.chooseKinds:
      return view.chooseKinds();
    case commands.chooseLabelColumns:
      return view.chooseLabelColumns();
    case commands.choosePerspective:
      return perspective.choose(argument);
    case commands.trySelector:
      return trySelector(view, tried);
    case commands.insertSelector:
      return insertion.insert();
    case commands.labelMatches:
      return labelMatches(client, argument);
    case commands.adoptLabels:
      return adoptLabels(client);
    case commands.canReach:
      return canReach(client, pages);
    case commands.explainObject:
      return explainObject(client, pages, argument);
    case commands.showLabels:
      return showLabels(client, pages);
    case commands.openRulePage:
      return openRulePage(extension, argument);
    case commands.showChanges:
      return changes.show();
    case commands.refreshChanges:
      return changes.refresh();
    case commands.reviewChanges:
      return changes.review(pages);
    case commands.reindex:
      await client.sendRequest<Ready>(reindexRequest);
      return;
    case commands.restartServer:
      if (client.needsStop()) await client.stop();
      return startClient(client, log);
    case commands.showLog:
      return log.show();
  }
}
