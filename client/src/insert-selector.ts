/** Inserts the selector on the cursor's line of the active editor into the most recently active manifest, at that manifest's own cursor position, and moves the focus to that manifest. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type DocumentPosition,
  type InsertAnswer,
  type InsertParams,
  insertRequest,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { languages } from './languages.ts';

export class ManifestInsertion implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #watching: vscode.Disposable;
  /** The manifest that was active last, and the editor column that contains it. */
  #last: { readonly editor: vscode.TextEditor; readonly column: vscode.ViewColumn | undefined } | undefined;

  constructor(client: BaseLanguageClient) {
    this.#client = client;
    this.#remember(vscode.window.activeTextEditor);
    this.#watching = vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor));
  }

  /** Inserts the selector on the cursor's line of the active editor into a manifest in a different editor. */
  async insert(): Promise<void> {
    const source = vscode.window.activeTextEditor;
    if (source === undefined)
      return showMessage(vscode.l10n.t('Place the cursor on the line of a selector to insert it into a manifest.'));
    const from = this.#placeOf(source);
    const target = await this.#target(source.document);
    if (target === undefined) return;
    const { document } = target;
    const { version } = document;
    try {
      const params: InsertParams = { from, to: this.#placeOf(target) };
      const answer = await this.#client.sendRequest<InsertAnswer | null>(insertRequest, params);
      if (answer !== null && document.version === version) await write(target, answer);
    } catch (error) {
      showMessage(error instanceof Error ? error.message : String(error));
    }
  }

  dispose(): void {
    this.#watching.dispose();
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isManifest(editor.document)) this.#last = { editor, column: editor.viewColumn };
  }

  /**
   * Returns the most recently active manifest if it is visible; otherwise another visible one, which the user chooses
   * if there are several; otherwise opens the most recently active one again.
   */
  async #target(source: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
    const isOther = ({ document }: vscode.TextEditor) => isManifest(document) && document !== source;
    const visible = vscode.window.visibleTextEditors.filter(isOther);
    const last = this.#last;
    if (last !== undefined && visible.includes(last.editor)) return last.editor;
    if (visible.length > 1) return choose(visible);
    if (visible[0] !== undefined) return visible[0];
    if (last !== undefined && isOther(last.editor) && !last.editor.document.isClosed)
      return vscode.window.showTextDocument(last.editor.document, last.column);
    showMessage(
      vscode.l10n.t(
        'Open a manifest beside the selector, place the cursor at the field for the selector, and run the command again.',
      ),
    );
    return undefined;
  }

  #placeOf({ document, selection }: vscode.TextEditor): DocumentPosition {
    const { asUri, asPosition } = this.#client.code2ProtocolConverter;
    return { textDocument: { uri: asUri(document.uri) }, position: asPosition(selection.active) };
  }
}

function isManifest({ languageId }: vscode.TextDocument): boolean {
  return languages.includes(languageId);
}

async function choose(editors: readonly vscode.TextEditor[]): Promise<vscode.TextEditor | undefined> {
  const items = editors.map((editor) => ({
    label: withoutMarkup(vscode.workspace.asRelativePath(editor.document.uri)),
    description: vscode.l10n.t('line {0}', editor.selection.active.line + 1),
    editor,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Select the manifest to insert the selector into'),
  });
  return chosen?.editor;
}

/** Applies the edit as one undo step; the cursor moves to the end of the inserted text. */
async function write(editor: vscode.TextEditor, { range, newText }: InsertAnswer): Promise<void> {
  const { document } = editor;
  const { start, end } = range;
  const replaced = new vscode.Range(start.line, start.character, end.line, end.character);
  const from = document.offsetAt(replaced.start);
  if (!(await editor.edit((edit) => edit.replace(replaced, newText))))
    return showMessage(vscode.l10n.t('The selector could not be inserted. The manifest may be read-only.'));
  const behind = document.positionAt(from + newText.length);
  const { viewColumn } = editor;
  const selection = new vscode.Range(behind, behind);
  await vscode.window.showTextDocument(document, { ...(viewColumn !== undefined && { viewColumn }), selection });
}

function showMessage(message: string): void {
  void vscode.window.showWarningMessage(withoutMarkup(message));
}
