/** The Selector Map: a panel next to the editor that draws the object at the cursor and its neighbors, or a whole scope. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type GraphParams, type GraphResult, graphRequest } from '../../server/src/protocol.ts';
import { languages } from './languages.ts';
import { mapPage } from './map-page.ts';
import { saveExport } from './save-export.ts';
import { type GraphMessage, type MapQuestion, type PageMessage, pageMessage } from './webview/messages.ts';

const viewType = 'selectorLens.map';

/** Milliseconds without an edit or a cursor movement after which the map is updated. */
const pause = 200;

export class SelectorMap implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #extension: vscode.Uri;
  readonly #choose: (path: string, document: vscode.Uri) => Promise<void>;
  readonly #subscriptions: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;
  #question: MapQuestion = { around: 'object', connections: false, references: true };
  /** The position to which the graph belongs: the position of the cursor, unless the map itself moved the cursor. */
  #place: MapPosition | undefined;
  #graph: GraphResult | null = null;
  #serial = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #asking: vscode.CancellationTokenSource | undefined;
  /** The document that the map opened; focusing it does not change the contents of the map. */
  #opened: string | undefined;

  /** `choose` chooses the scope with a path through which a document is seen. */
  constructor(
    client: BaseLanguageClient,
    extension: vscode.Uri,
    choose: (path: string, document: vscode.Uri) => Promise<void>,
  ) {
    this.#choose = choose;
    this.#client = client;
    this.#extension = extension;
    this.#place = positionIn(vscode.window.activeTextEditor);
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && !this.#isOpened(editor)) this.#follow(editor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (textEditor !== vscode.window.activeTextEditor) return;
        const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
        if (kind === Keyboard || kind === Mouse || !this.#isOpened(textEditor)) this.#follow(textEditor);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && languages.includes(document.languageId)) this.refresh();
      }),
    ];
  }

  show(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal(undefined, false);
      return;
    }
    this.#place = positionIn(vscode.window.activeTextEditor) ?? this.#place;
    const root = vscode.Uri.joinPath(this.#extension, 'dist', 'extension');
    const options = { enableScripts: true, localResourceRoots: [root] };
    const panel = vscode.window.createWebviewPanel(
      viewType,
      vscode.l10n.t('Selector Map'),
      vscode.ViewColumn.Beside,
      options,
    );
    panel.iconPath = vscode.Uri.joinPath(this.#extension, 'images', 'matches.svg');
    panel.onDidDispose(() => this.#closed());
    panel.onDidChangeViewState(() => this.refresh());
    panel.webview.onDidReceiveMessage((value: unknown) => this.#receive(pageMessage(value)));
    panel.webview.html = mapPage(panel.webview, root);
    this.#panel = panel;
  }

  /** Requests the graph again when the user pauses, unless the map is hidden. */
  refresh(): void {
    if (this.#panel?.visible !== true) return;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#ask(), pause);
  }

  #isOpened({ document }: vscode.TextEditor): boolean {
    return document.uri.toString() === this.#opened;
  }

  #follow(editor: vscode.TextEditor): void {
    const position = positionIn(editor);
    if (position === undefined) return;
    this.#opened = undefined;
    this.#place = position;
    this.refresh();
  }

  async #ask(): Promise<void> {
    this.#asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    const graph = await this.#request(asking.token);
    if (asking.token.isCancellationRequested || this.#panel === undefined || graph === undefined) return;
    this.#graph = graph;
    this.#serial++;
    const message: GraphMessage = { kind: 'graph', serial: this.#serial, graph };
    await this.#panel.webview.postMessage(message);
  }

  /** Returns the graph, null if there is none, and undefined if the request failed. */
  async #request(token: vscode.CancellationToken): Promise<GraphResult | null | undefined> {
    const place = this.#place;
    if (place === undefined || !this.#client.isRunning()) return null;
    const { line, character } = place.position;
    const uri = this.#client.code2ProtocolConverter.asUri(place.uri);
    const params: GraphParams = { textDocument: { uri }, position: { line, character }, ...this.#question };
    try {
      return await this.#client.sendRequest<GraphResult | null>(graphRequest, params, token);
    } catch (error) {
      if (!token.isCancellationRequested)
        this.#client.warn('The request for the graph of a scope failed.', error, false);
      return undefined;
    }
  }

  #receive(message: PageMessage | undefined): void {
    switch (message?.kind) {
      case 'ask':
        this.#question = { around: message.around, connections: message.connections, references: message.references };
        void this.#ask();
        return;
      case 'open':
        if (message.serial === this.#serial) void this.#open(this.#graph?.[message.what][message.index]);
        return;
      case 'perspective':
        if (this.#place !== undefined && this.#graph?.scopes.some(({ path }) => path === message.path))
          void this.#choose(message.path, this.#place.uri);
        return;
      case 'save':
        void saveExport(message, this.#place?.uri);
        return;
    }
  }

  /** Opens a location in the editor; the shown graph does not change. */
  async #open(place: GraphResult['nodes' | 'edges'][number] | undefined): Promise<void> {
    if (place?.uri === undefined || place.range === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This object is in every cluster; no file contains it.'));
      return;
    }
    const uri = vscode.Uri.parse(place.uri, true);
    const { start, end } = place.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    this.#opened = uri.toString();
    try {
      await vscode.window.showTextDocument(uri, {
        selection,
        viewColumn: this.#place?.column ?? vscode.ViewColumn.One,
      });
    } catch (error) {
      this.#client.warn('A location of the Selector Map could not be opened.', error, false);
    }
  }

  #closed(): void {
    clearTimeout(this.#waiting);
    this.#asking?.cancel();
    this.#panel = undefined;
  }

  dispose(): void {
    this.#panel?.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

interface MapPosition {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
  readonly column: vscode.ViewColumn | undefined;
}

/** Returns the position of the cursor in an editor; undefined if the document is not a manifest. */
function positionIn(editor: vscode.TextEditor | undefined): MapPosition | undefined {
  if (editor === undefined || !languages.includes(editor.document.languageId)) return undefined;
  return { uri: editor.document.uri, position: editor.selection.active, column: editor.viewColumn };
}
