/** Saves an exported map to a file that the user selects. */
import * as vscode from 'vscode';
import type { ExportFormat } from './webview/messages.ts';

const files: Readonly<Record<ExportFormat, { readonly extension: string; readonly title: string }>> = {
  svg: { extension: 'svg', title: vscode.l10n.t('SVG Image') },
  png: { extension: 'png', title: vscode.l10n.t('PNG Image') },
  mermaid: { extension: 'mmd', title: vscode.l10n.t('Mermaid Diagram') },
  dot: { extension: 'dot', title: vscode.l10n.t('Graphviz Graph') },
};

/** Lets the user select a file, and writes the export to it. The default folder is the first workspace folder, otherwise the folder that contains `near`. */
export async function saveExport(
  { format, content }: { readonly format: ExportFormat; readonly content: string },
  near: vscode.Uri | undefined,
): Promise<void> {
  const { extension, title } = files[format];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? (near && vscode.Uri.joinPath(near, '..'));
  const name = `selector-map.${extension}`;
  const uri = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [title]: [extension] },
    title: vscode.l10n.t('Export Selector Map'),
  });
  if (uri === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(uri, format === 'png' ? bytesOf(content) : new TextEncoder().encode(content));
  } catch (error) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The map could not be saved: {0}', error instanceof Error ? error.message : String(error)),
    );
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
