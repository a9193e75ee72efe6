/** How is a page shown that the server writes? As Markdown beside the editor, kept while its window is open. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Explained, explainRequest } from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';

const scheme = 'selector-lens-page';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? '';
  }

  async show({ title, markdown }: Explained): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', ' ')}.md` });
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  }

  dispose(): void {
    vscode.Disposable.from(this.#registered, this.#changed).dispose();
  }
}

/** Shows the page about the object at the cursor. */
export async function explainObject(client: BaseLanguageClient, pages: Pages): Promise<void> {
  const editor = activeManifest();
  const page = editor
    ? await client.sendRequest<Explained | null>(explainRequest, {
        textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
        position: client.code2ProtocolConverter.asPosition(editor.selection.active),
      })
    : null;
  if (page !== null) return pages.show(page);
  void vscode.window.showInformationMessage('Place the cursor in a Kubernetes object to explain it.');
}
