/** The view "Selector Matches": the matches of the selector at the cursor, or of the pinned selector. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type Preview,
  type PreviewParams,
  type PreviewTarget,
  previewRequest,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { commandLanguages, languages, selectorLanguage } from './languages.ts';
import type { MatchesChoice } from './matches-choice.ts';
import { countOf, locationsOf, type Row, type RowLocation, rowLocationOf, rowsOf, toTreeItem } from './matches-rows.ts';
import type { IndexStatus } from './status.ts';

const viewId = 'selectorLens.matches';

/** The cancellation token for the requests of user commands, which are never canceled. */
const never = new vscode.CancellationTokenSource().token;

/** The reason why the view is empty, which selects its welcome text in `package.json`. */
type Emptiness = 'indexing' | 'idle' | 'trying' | 'nothing' | 'alone';

export class MatchesView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #choice: MatchesChoice;
  readonly #status: IndexStatus;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #tree: vscode.TreeView<Row>;
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  #rows: readonly Row[] = [];
  #shown: Preview | undefined;
  #asking: vscode.CancellationTokenSource | undefined;
  #askAgain = false;
  /** The document that a row of this view opened; focusing it does not change the contents of the view. */
  #opened: string | undefined;

  constructor(client: BaseLanguageClient, choice: MatchesChoice, status: IndexStatus) {
    this.#client = client;
    this.#choice = choice;
    this.#status = status;
    this.#tree = vscode.window.createTreeView(viewId, { treeDataProvider: this });
    this.#subscriptions.push(this.#tree, ...this.#followCursor());
    this.#becomeEmpty('indexing');
  }

  #followCursor(): vscode.Disposable[] {
    return [
      this.#tree.onDidChangeVisibility(() => this.refresh()),
      this.#status.onDidChange(() => this.#describeIndex()),
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
        this.#choice.move(document, contentChanges);
        if (contentChanges.length > 0 && isOurs(document)) this.#follow();
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

  /** Requests the matches of the selector at the cursor again, unless the view is hidden. */
  refresh(): void {
    if (!this.#tree.visible || this.#opened !== undefined) return;
    if (this.#asking === undefined) {
      void this.#ask();
    } else {
      this.#askAgain = true;
      this.#asking.cancel();
    }
  }

  /**
   * Sends at most one request at a time. If the cursor position changes in the meantime, cancels the request, waits
   * until it has settled, and requests the matches at the new position.
   */
  async #ask(): Promise<void> {
    do {
      this.#askAgain = false;
      this.#asking = new vscode.CancellationTokenSource();
      const { token } = this.#asking;
      const preview = await this.#preview(token);
      if (!token.isCancellationRequested) this.#show(preview);
      this.#asking.dispose();
    } while (this.#askAgain);
    this.#asking = undefined;
  }

  async #preview(token: vscode.CancellationToken): Promise<Preview | undefined> {
    const { kinds } = this.#choice;
    try {
      // An editor that closes may no longer have a position.
      const place = this.#choice.pinned ?? this.#placeAtCursor();
      if (place === undefined) return undefined;
      const params: PreviewParams = { ...place, ...(kinds && { kinds }) };
      return (await this.#client.sendRequest<Preview | null>(previewRequest, params, token)) ?? undefined;
    } catch (error) {
      if (!(error instanceof vscode.CancellationError) && !token.isCancellationRequested) {
        this.#client.warn('The request for the matches of a selector failed.', error, false);
      }
      return undefined;
    }
  }

  #placeAtCursor(): PreviewTarget | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isOurs(editor.document)) return undefined;
    const { line, character } = editor.selection.active;
    // The selection of an editor that closes may be after the end of its document.
    if (line >= editor.document.lineCount) return undefined;
    if (editor.document.languageId === selectorLanguage) {
      const selector = selectorInLine(editor.document.lineAt(line).text);
      return selector === undefined ? undefined : { selector };
    }
    const uri = this.#client.code2ProtocolConverter.asUri(editor.document.uri);
    return { textDocument: { uri }, position: { line, character } };
  }

  #show(preview: Preview | undefined): void {
    const why = emptiness(preview);
    if (why !== undefined || preview === undefined) {
      this.#becomeEmpty(why === 'idle' && isTrying() ? 'trying' : (why ?? 'idle'), preview);
      return;
    }
    this.#shown = preview;
    this.#rows = rowsOf(preview, this.#choice.columns);
    this.#tree.description = countOf(preview, this.#choice.kinds);
    void vscode.commands.executeCommand('setContext', 'selectorLens.matchesAre', 'shown');
    this.#tree.message = preview.complete ? '' : vscode.l10n.t('Indexing is in progress; more matches may follow.');
    this.#changed.fire();
  }

  #becomeEmpty(why: Emptiness, preview?: Preview): void {
    this.#rows = [];
    this.#shown = preview;
    this.#tree.description = preview?.site?.owner ?? '';
    this.#describeIndex();
    this.#tree.message = '';
    void vscode.commands.executeCommand('setContext', 'selectorLens.matchesAre', why);
    this.#changed.fire();
  }

  /** Shows a summary of the index, unless the view has contents. */
  #describeIndex(): void {
    if (this.#shown === undefined) this.#tree.description = this.#status.summary;
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

  /**
   * Reveals the view and focuses its first row. If a code lens passes its position, the cursor moves there first. The
   * contents are requested before the view is revealed, so that the focus moves only once, and not after the user has
   * begun to type elsewhere.
   */
  async show(argument?: unknown): Promise<void> {
    this.#opened = undefined;
    const asked = requestedLocation(argument);
    if (asked !== undefined) await vscode.window.showTextDocument(asked.uri, { selection: asked.range });
    this.#show(await this.#preview(never));
    const first = this.#rows[0];
    if (first === undefined) await vscode.commands.executeCommand(`${viewId}.focus`);
    else await this.#tree.reveal(first, { focus: true });
  }

  /**
   * Opens a peek view with the objects that the selector at a position matches, or with the objects that select the
   * object there.
   */
  async peek(argument?: unknown): Promise<void> {
    const location = requestedLocation(argument);
    if (location === undefined) return this.show();
    const { uri, range } = location;
    const asked = { textDocument: { uri: this.#client.code2ProtocolConverter.asUri(uri) }, position: range.start };
    const preview = await this.#client.sendRequest<Preview | null>(previewRequest, asked);
    const locations = locationsOf(preview ?? undefined);
    if (locations.length === 0) return this.show(argument);
    await vscode.commands.executeCommand('editor.action.peekLocations', uri, range.start, locations, 'peek');
  }

  /** Reveals the view without moving the focus, and follows the cursor from then on. */
  async comeForward(): Promise<void> {
    this.#opened = undefined;
    await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true });
  }

  /** Returns the selector at the cursor, or the pinned one, in the syntax of kubectl; undefined if there is none. */
  async selector(): Promise<string | undefined> {
    const shown = await this.#preview(never);
    return shown?.about === 'selector' && shown.selector !== '' ? shown.selector : undefined;
  }

  /** Opens the location of a row; the contents of the view do not change. */
  async open(argument: unknown): Promise<void> {
    const location: RowLocation | undefined = rowLocationOf(argument);
    if (location === undefined) return;
    this.#opened = location.uri.toString();
    await vscode.window.showTextDocument(location.uri, { selection: location.range });
  }

  /** Copies the text that a link in a hover passes, otherwise the selector at the cursor. */
  async copySelector(argument?: unknown): Promise<void> {
    const text = askedText(argument);
    if (text !== undefined) return copy(text);
    const shown = this.#opened === undefined ? await this.#preview(never) : this.#shown;
    if (shown === undefined || shown.about === 'object') {
      void vscode.window.showInformationMessage(vscode.l10n.t('Place the cursor in a selector to copy it.'));
    } else if (shown.selector === '') {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('This selector has no requirements, so there is nothing to copy.'),
      );
    } else {
      await copy(shown.selector);
    }
  }

  pin(): void {
    const place = this.#placeAtCursor();
    const editor = vscode.window.activeTextEditor;
    if (place === undefined || editor === undefined || this.#shown === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Place the cursor in a selector or an object to pin it.'),
      );
    } else {
      this.#choice.pin(editor.document.uri, place);
    }
  }

  /** Removes the pin, so that the view follows the cursor again. */
  unpin(): void {
    this.#choice.unpin();
    this.#follow();
  }

  async chooseKinds(): Promise<void> {
    const shown = this.#shownRows();
    if (shown !== undefined && (await this.#choice.chooseKinds(shown))) this.#follow();
  }

  async chooseLabelColumns(): Promise<void> {
    const shown = this.#shownRows();
    if (shown !== undefined && (await this.#choice.chooseColumns(shown))) this.#follow();
  }

  /** Returns the shown preview. If it contains no objects, shows a message and returns undefined. */
  #shownRows(): Preview | undefined {
    if (this.#shown !== undefined && this.#shown.kinds.length > 0) return this.#shown;
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There are no matches to filter. Place the cursor in a selector that matches objects.'),
    );
    return undefined;
  }

  dispose(): void {
    this.#asking?.cancel();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

/** Returns the position that a clicked code lens passes as the argument of its command: `{ uri, position }`, as in the protocol. */
function requestedLocation(argument: unknown): RowLocation | undefined {
  if (typeof argument !== 'object' || argument === null || !('uri' in argument) || !('position' in argument)) return;
  const { uri, position } = argument;
  if (typeof uri !== 'string' || typeof position !== 'object' || position === null) return;
  const { line, character } = { line: 0, character: 0, ...position };
  return { uri: vscode.Uri.parse(uri, true), range: new vscode.Range(line, character, line, character) };
}

/** Returns the text that a link in a hover passes as the argument of its command: `{ text }`. */
function askedText(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('text' in argument)) return undefined;
  return typeof argument.text === 'string' ? argument.text : undefined;
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', withoutMarkup(text)), 5000);
}

function isOurs({ languageId }: vscode.TextDocument): boolean {
  return languages.includes(languageId) || Object.values(commandLanguages).flat().includes(languageId);
}

/** Whether the active editor shows a scratch document of "Try a Selector". */
function isTrying(): boolean {
  return vscode.window.activeTextEditor?.document.languageId === selectorLanguage;
}

/** Returns the selector in a line of a scratch document; undefined for an empty line. The text after `#` is a comment. */
export function selectorInLine(line: string): string | undefined {
  const selector = line.replace(/#.*$/, '').trim();
  return selector === '' ? undefined : selector;
}

function emptiness(preview: Preview | undefined): Emptiness | undefined {
  if (preview === undefined) return 'idle';
  if (
    preview.groups.length > 0 ||
    preview.problems.length > 0 ||
    preview.verdict !== undefined ||
    preview.others !== undefined
  )
    return undefined;
  if (!preview.complete) return 'indexing';
  return preview.about === 'object' ? 'alone' : 'nothing';
}
