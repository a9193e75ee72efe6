/** The text editor with the focus, if its document may be a manifest. */

import * as vscode from 'vscode';
import { languages } from './languages.ts';

/** Returns the text editor with the focus if its document may be a manifest; otherwise undefined. */
export function activeManifest(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && languages.includes(editor.document.languageId) ? editor : undefined;
}
