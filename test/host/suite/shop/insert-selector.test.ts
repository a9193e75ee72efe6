/** Tests that a selector in a scratch document can be inserted into the manifest next to it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension } from '../extension.ts';

const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: tried}
spec:
  maxUnavailable: 1
  selector:
`;

describe('inserting a selector as matchLabels', () => {
  before(async () => {
    await (await extension().activate()).whenReady();
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('writes it at the cursor of the last active manifest, as one undo step', async () => {
    const manifest = await vscode.workspace.openTextDocument({ language: 'yaml', content: budget });
    const behind = manifest.positionAt(budget.length - 1);
    await vscode.window.showTextDocument(manifest, { selection: new vscode.Range(behind, behind) });
    const content = '# Tried\napp=basket,tier!=db\n';
    const tried = await vscode.workspace.openTextDocument({ language: 'kube-selector', content });
    await vscode.window.showTextDocument(tried, {
      viewColumn: vscode.ViewColumn.Beside,
      selection: new vscode.Range(1, 3, 1, 3),
    });
    await vscode.commands.executeCommand('selectorLens.insertSelector');
    const selector = `    matchLabels:
      app: basket
    matchExpressions:
      - key: tier
        operator: NotIn
        values: [db]
`;
    assert.equal(manifest.getText(), budget + selector);
    assert.equal(tried.getText(), content);
    const active = vscode.window.activeTextEditor;
    assert.equal(active?.document, manifest);
    assert.deepEqual(active.selection.active, manifest.positionAt((budget + selector).length - 1));
    await vscode.commands.executeCommand('undo');
    assert.equal(manifest.getText(), budget);
  });
});
