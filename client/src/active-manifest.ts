/** Which manifest does somebody look at? */

import * as vscode from 'vscode';
import { languages } from './languages.ts';

/** The editor with the keyboard, where what it shows may be a manifest. */
export function activeManifest(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && languages.includes(editor.document.languageId) ? editor : undefined;
}
