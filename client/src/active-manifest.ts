/** The text editor with the focus, if its document may be a manifest, or else another manifest. */

import * as vscode from 'vscode';
import { languages } from './languages.ts';

/** Returns the text editor with the focus if its document may be a manifest; otherwise undefined. */
export function activeManifest(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && isManifest(editor.document) ? editor : undefined;
}

/** A document, and what is selected in it if it is visible. */
interface ShownManifest {
  readonly document: vscode.TextDocument;
  readonly selection?: vscode.Selection;
}

/** Like `activeManifest`; without a manifest in the editor with the focus, returns one that is visible, or else one that is open. */
export function nearestManifest(): ShownManifest | undefined {
  const visible = vscode.window.visibleTextEditors.find(({ document }) => isManifest(document));
  const document = vscode.workspace.textDocuments.find(isManifest);
  return activeManifest() ?? visible ?? (document && { document });
}

function isManifest({ languageId }: vscode.TextDocument): boolean {
  return languages.includes(languageId);
}
