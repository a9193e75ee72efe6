/** Opens a scratch document next to the editor, to evaluate a selector without adding it to a manifest. */
import * as vscode from 'vscode';
import { selectorLanguage } from './languages.ts';
import { type MatchesView, selectorInLine } from './matches-view.ts';

/** VS Code shows the first line as the name of the document. */
const introduction = `# Try a Selector
# One selector a line, as in kubectl -l.
# "Selector Matches" lists what it matches.
`;

const triedKey = 'triedSelectors';

/** The maximum number of selectors in the history. */
const maximumTried = 10;

/** The history of the selectors that were evaluated in scratch documents, stored for the workspace. */
export class TriedSelectors implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  /** The scratch document that contains the cursor, and the line of the cursor. */
  #current: { readonly document: vscode.TextDocument; readonly line: number } | undefined;
  readonly #events = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#move(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => this.#move(editor)),
  );

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The selectors in the history, the most recent one last. */
  get all(): readonly string[] {
    return this.#memory.get<readonly string[]>(triedKey, []);
  }

  /** Stores the selector of the line that the cursor leaves. */
  #move(editor: vscode.TextEditor | undefined): void {
    const document = editor !== undefined && isScratch(editor.document) ? editor.document : undefined;
    const line = editor?.selection.active.line;
    const left = this.#current;
    if (left?.document === document && left?.line === line) return;
    this.#current = document === undefined || line === undefined ? undefined : { document, line };
    if (left === undefined || left.line >= left.document.lineCount) return;
    const selector = selectorInLine(left.document.lineAt(left.line).text);
    if (selector === undefined || this.all.at(-1) === selector || hasProblem(left.document, left.line)) return;
    const others = this.all.filter((each) => each !== selector);
    void this.#memory.update(triedKey, [...others, selector].slice(-maximumTried));
  }

  dispose(): void {
    this.#events.dispose();
  }
}

/** Opens a scratch document that contains the history and the selector that the view shows, and reveals the view. The selector's line is selected, so that typing replaces it. */
export async function trySelector(view: MatchesView, tried: TriedSelectors): Promise<void> {
  const known = vscode.window.visibleTextEditors.find(({ document }) => isScratch(document));
  const begun = known === undefined ? await view.selector() : undefined;
  const before = tried.all.filter((selector) => selector !== begun);
  const document =
    known?.document ??
    (await vscode.workspace.openTextDocument({
      language: selectorLanguage,
      content: [introduction, ...before.map((selector) => `${selector}\n`), begun ?? ''].join(''),
    }));
  const viewColumn = known?.viewColumn ?? vscode.ViewColumn.Beside;
  // The document is shown last, so that it has the focus for the first typed characters.
  await view.comeForward();
  const selection = document.lineAt(document.lineCount - 1).range;
  await vscode.window.showTextDocument(document, { viewColumn, selection });
}

function hasProblem({ uri }: vscode.TextDocument, line: number): boolean {
  return vscode.languages.getDiagnostics(uri).some(({ range }) => range.start.line === line);
}

function isScratch(document: vscode.TextDocument): boolean {
  return document.languageId === selectorLanguage && document.isUntitled;
}
