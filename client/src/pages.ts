/** Markdown pages: pages that the server generates, which are cached while the window is open, and pages that are part of the extension. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Explained, explainRequest, labelsRequest } from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';
import { isPosition } from './label-matches.ts';

const scheme = 'selector-lens-page';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? '';
  }

  /** Shows a page instead of the last one, beside the active editor. */
  async show({ title, markdown }: Explained): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', ' ')}.md` });
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    // A preview opens beside the group with the focus, which may be that of another page.
    const { tabGroups } = vscode.window;
    const tabs = tabGroups.all.flatMap((group) => group.tabs);
    await tabGroups.close(tabs.filter((tab) => this.#isPage(tab)));
    await showPreview(uri, vscode.ViewColumn.Beside);
  }

  /** Whether a tab shows a page, or the preview of a page, which is known only by the label of its tab. */
  #isPage({ input, label }: vscode.Tab): boolean {
    if (input instanceof vscode.TabInputText) return input.uri.scheme === scheme;
    const isPreview = input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
    return isPreview && [...this.#texts.keys()].some((path) => label.endsWith(path.slice(1)));
  }

  dispose(): void {
    vscode.Disposable.from(this.#registered, this.#changed).dispose();
  }
}

/** Shows the page about the labels of the workspace; a notification shows the progress, because a large workspace takes seconds. */
export async function showLabels(client: BaseLanguageClient, pages: Pages): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Collecting labels'),
    cancellable: true,
  };
  const page = await vscode.window.withProgress(options, (_, token) =>
    client.sendRequest<Explained | null>(labelsRequest, token),
  );
  if (page !== null) await pages.show(page);
}

/** Opens the page of a rule, or the list of all rules if `rule` is not a rule name. */
export async function openRulePage(extension: vscode.Uri, rule: unknown): Promise<void> {
  const name = typeof rule === 'string' && /^[a-z-]+$/.test(rule) ? rule : 'README';
  await showPreview(vscode.Uri.joinPath(extension, 'docs', 'rules', `${name}.md`), vscode.ViewColumn.Active);
}

/** Shows the rendered Markdown, or its source if the Markdown extension of VS Code is disabled. */
async function showPreview(uri: vscode.Uri, viewColumn: vscode.ViewColumn.Active | vscode.ViewColumn.Beside) {
  const isBeside = viewColumn === vscode.ViewColumn.Beside;
  try {
    await vscode.commands.executeCommand(isBeside ? 'markdown.showPreviewToSide' : 'markdown.showPreview', uri);
  } catch {
    // A command that opens the page by its URI would navigate away from VS Code for the Web.
    await vscode.window.showTextDocument(uri, { viewColumn });
  }
}

/** Shows the page about the object at the position that a hover passes, otherwise at the cursor. */
export async function explainObject(client: BaseLanguageClient, pages: Pages, argument: unknown): Promise<void> {
  const { asUri, asPosition } = client.code2ProtocolConverter;
  const editor = activeManifest();
  const place = isPosition(argument)
    ? argument
    : editor && { uri: asUri(editor.document.uri), position: asPosition(editor.selection.active) };
  const page = place
    ? await client.sendRequest<Explained | null>(explainRequest, {
        textDocument: { uri: place.uri },
        position: place.position,
      })
    : null;
  if (page !== null) return pages.show(page);
  void vscode.window.showInformationMessage(vscode.l10n.t('Place the cursor in a Kubernetes object to explain it.'));
}
