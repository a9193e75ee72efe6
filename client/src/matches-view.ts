/** What does the selector at the cursor match? The view "Selector Matches" follows the cursor and shows it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Preview, type PreviewParams, previewRequest } from '../../server/src/protocol.ts';
import { languages } from './languages.ts';
import { type Place, placeOf, type Row, rowsOf, toTreeItem } from './matches-rows.ts';

const viewId = 'selectorLens.matches';

/** For what a person asked for, which nothing overtakes. */
const never = new vscode.CancellationTokenSource().token;

/** Which of the texts in package.json an empty view shows. */
type Emptiness = 'indexing' | 'idle' | 'nothing';

export class MatchesView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #tree: vscode.TreeView<Row>;
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  #rows: readonly Row[] = [];
  #asking: vscode.CancellationTokenSource | undefined;
  #askAgain = false;
  /** The document that a row of this view opened: looking at it does not change what the view shows. */
  #opened: string | undefined;

  constructor(client: BaseLanguageClient) {
    this.#client = client;
    this.#tree = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions.push(this.#tree, ...this.#followCursor());
    this.#becomeEmpty('indexing');
  }

  #followCursor(): vscode.Disposable[] {
    return [
      this.#tree.onDidChangeVisibility(() => this.refresh()),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && !this.#isOpened(editor.document)) this.#follow();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        const byHand =
          kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
        if (textEditor !== vscode.window.activeTextEditor) return;
        if (byHand || !this.#isOpened(textEditor.document)) this.#follow();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && languages.includes(document.languageId)) this.#follow();
      }),
    ];
  }

  #isOpened(document: vscode.TextDocument): boolean {
    return document.uri.toString() === this.#opened;
  }

  #follow(): void {
    this.#opened = undefined;
    this.refresh();
  }

  /** Asks again what the selector at the cursor matches, unless nobody would see the answer. */
  refresh(): void {
    if (!this.#tree.visible || this.#opened !== undefined) return;
    if (this.#asking === undefined) {
      void this.#ask();
    } else {
      this.#askAgain = true;
      this.#asking.cancel();
    }
  }

  /** One question at a time: what changes meanwhile cancels it, and the newest place is asked when it is settled. */
  async #ask(): Promise<void> {
    do {
      this.#askAgain = false;
      this.#asking = new vscode.CancellationTokenSource();
      const { token } = this.#asking;
      const preview = await this.#previewAtCursor(token);
      if (!token.isCancellationRequested) this.#show(preview);
      this.#asking.dispose();
    } while (this.#askAgain);
    this.#asking = undefined;
  }

  async #previewAtCursor(token: vscode.CancellationToken): Promise<Preview | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !languages.includes(editor.document.languageId)) return undefined;
    const { line, character } = editor.selection.active;
    const uri = this.#client.code2ProtocolConverter.asUri(editor.document.uri);
    const params: PreviewParams = { textDocument: { uri }, position: { line, character } };
    try {
      return (await this.#client.sendRequest<Preview | null>(previewRequest, params, token)) ?? undefined;
    } catch (error) {
      if (!(error instanceof vscode.CancellationError) && !token.isCancellationRequested) {
        this.#client.warn('The preview of a selector was not answered.', error, false);
      }
      return undefined;
    }
  }

  #show(preview: Preview | undefined): void {
    const why = emptiness(preview);
    if (why !== undefined || preview === undefined) {
      this.#becomeEmpty(why ?? 'idle', preview);
      return;
    }
    this.#rows = rowsOf(preview);
    this.#tree.description = countOf(preview);
    this.#tree.message = preview.complete ? '' : 'Still indexing: more may follow.';
    this.#changed.fire();
  }

  #becomeEmpty(why: Emptiness, preview?: Preview): void {
    this.#rows = [];
    this.#tree.description = preview?.site?.owner ?? '';
    this.#tree.message = '';
    void vscode.commands.executeCommand('setContext', 'selectorLens.matchesAre', why);
    this.#changed.fire();
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return toTreeItem(row);
  }

  getChildren(row?: Row): Row[] {
    return [...(row === undefined ? this.#rows : row.children)];
  }

  getParent(row: Row): Row | undefined {
    return row.parent;
  }

  /** Brings the view forward and puts the keyboard on its first row. */
  async show(): Promise<void> {
    this.#opened = undefined;
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.#show(await this.#previewAtCursor(never));
    const first = this.#rows[0];
    if (first !== undefined) await this.#tree.reveal(first, { focus: true, select: true });
  }

  /** Opens the place of a row, and keeps showing what is shown. */
  async open(argument: unknown): Promise<void> {
    const place: Place | undefined = placeOf(argument);
    if (place === undefined) return;
    this.#opened = place.uri.toString();
    await vscode.window.showTextDocument(place.uri, { selection: place.range });
  }

  async copySelector(): Promise<void> {
    const shown = this.#rows[0];
    const selector =
      this.#opened !== undefined && shown?.kind === 'site'
        ? shown.preview.selector
        : (await this.#previewAtCursor(never))?.selector;
    if (selector === undefined) {
      void vscode.window.showInformationMessage('Place the cursor in a selector to copy it.');
    } else if (selector === '') {
      void vscode.window.showInformationMessage('This selector has no requirements, so there is nothing to copy.');
    } else {
      await vscode.env.clipboard.writeText(selector);
      vscode.window.setStatusBarMessage(`Copied ${selector}`, 5000);
    }
  }

  dispose(): void {
    this.#asking?.cancel();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

function emptiness(preview: Preview | undefined): Emptiness | undefined {
  if (preview === undefined) return 'idle';
  if (preview.groups.length > 0 || preview.problems.length > 0) return undefined;
  return preview.complete ? 'nothing' : 'indexing';
}

function countOf(preview: Preview): string {
  const matches = preview.groups.find(({ kind }) => kind === 'matches')?.total ?? 0;
  return matches === 1 ? '1 match' : `${matches} matches`;
}
