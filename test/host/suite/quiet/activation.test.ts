/** Tests in a folder without manifests that the extension stays inactive, and activates when a manifest is typed. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension } from '../extension.ts';

describe('activation in a folder without manifests', () => {
  it('does not start the server for YAML that is not Kubernetes', async () => {
    const [file] = await vscode.workspace.findFiles('compose.yaml');
    assert.ok(file);
    await vscode.window.showTextDocument(file);
    const lens = await extension().activate();
    assert.equal(await lens.scanned, false);
    assert.equal(lens.started, false);
  });

  it('starts the server when typed text becomes a manifest', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'yaml', content: 'apiVersion: v1\n' });
    const editor = await vscode.window.showTextDocument(document);
    const lens = await extension().activate();
    assert.equal(lens.started, false);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'kind: Pod\n'));
    await lens.whenReady();
    assert.equal(lens.started, true);
  });
});
