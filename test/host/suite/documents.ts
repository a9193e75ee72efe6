/** Opens documents, and finds positions in them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Opens a file of the workspace in the editor. */
export async function open(name: string): Promise<vscode.TextDocument> {
  const [file] = await vscode.workspace.findFiles(name);
  assert.ok(file, name);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The position after the first occurrence of a text. */
export function behind(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, text);
  return document.positionAt(offset + text.length);
}
