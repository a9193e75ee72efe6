/** Hides the diagnostics of the line in which the user types until the cursor leaves the line, because an incomplete value such as `app: ` is not a mistake. */
import * as vscode from 'vscode';
import { type BaseLanguageClient, DocumentDiagnosticRequest, type Middleware, vsdiag } from 'vscode-languageclient';

export class TypedText implements vscode.Disposable {
  /** The document and the line in which the user types, and the version of the document after the last edit. */
  #typing: { readonly document: vscode.TextDocument; readonly line: number; readonly version: number } | undefined;
  #hides = false;
  #client: BaseLanguageClient | undefined;
  readonly #events = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((change) => this.#edited(change)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#moved(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => this.#moved(editor)),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document === this.#typing?.document) this.#end();
    }),
  );

  get hides(): boolean {
    return this.#hides;
  }

  follow(client: BaseLanguageClient): void {
    this.#client = client;
  }

  readonly provideDiagnostics: NonNullable<Middleware['provideDiagnostics']> = async (
    document,
    before,
    token,
    next,
  ) => {
    const report = await next(document, before, token);
    const uri = document instanceof vscode.Uri ? document : document.uri;
    if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full || !this.#isTypedIn(uri)) return report;
    const shown = report.items.filter(({ range }) => !this.#isTyped(range));
    this.#hides = shown.length < report.items.length;
    if (!this.#hides) return report;
    // Without a result id, the server sends a complete report next time.
    return { kind: report.kind, items: shown };
  };

  #isTypedIn(uri: vscode.Uri): boolean {
    return this.#typing?.document.uri.toString() === uri.toString();
  }

  /** Whether a range is in the typed line, or contains the cursor. */
  #isTyped(range: vscode.Range): boolean {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !this.#isTypedIn(editor.document.uri)) return false;
    return range.contains(editor.selection.active) || (range.isSingleLine && range.start.line === this.#typing?.line);
  }

  #edited({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    const [change, ...others] = contentChanges;
    if (change === undefined || editor?.document !== document) return;
    const { line } = editor.selection.active;
    const isTyped =
      reason === undefined && others.length === 0 && change.range.isSingleLine && change.range.start.line === line;
    this.#typing = isTyped
      ? { document, line: line + change.text.split('\n').length - 1, version: document.version }
      : undefined;
  }

  /** Shows the hidden diagnostics again when the cursor leaves the line or the document. */
  #moved(editor: vscode.TextEditor | undefined): void {
    const typing = this.#typing;
    if (typing === undefined) return;
    if (editor?.document !== typing.document || editor.selection.active.line !== typing.line) this.#end();
  }

  #end(): void {
    this.#typing = undefined;
    if (!this.#hides) return;
    this.#hides = false;
    const document = vscode.window.activeTextEditor?.document;
    const provider = document && this.#client?.getFeature(DocumentDiagnosticRequest.method)?.getProvider(document);
    provider?.onDidChangeDiagnosticsEmitter.fire();
  }

  dispose(): void {
    this.#events.dispose();
  }
}
