/** Tests that renaming a label changes all files, through the command of VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension } from '../extension.ts';

describe('renaming a label in the editor', () => {
  before(async () => {
    await (await extension().activate()).whenReady();
  });

  it('edits every occurrence in a file', async () => {
    const [file] = await vscode.workspace.findFiles('basket.yaml');
    assert.ok(file);
    const document = await vscode.workspace.openTextDocument(file);
    const text = document.getText();
    const at = document.positionAt(text.indexOf('basket', text.indexOf('selector:')));
    const rename = 'vscode.executeDocumentRenameProvider';
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(rename, document.uri, at, 'cart');
    const edits = edit.get(document.uri);
    const lines = edits.map(({ range }) => document.lineAt(range.start.line).text.trim());
    assert.deepEqual(new Set(lines), new Set(['app: basket']));
    assert.ok(edits.length >= 4, `${edits.length} edits`);
    for (const { range, newText } of edits) {
      assert.equal(document.getText(range), 'basket');
      assert.equal(newText, 'cart');
    }
  });
});
