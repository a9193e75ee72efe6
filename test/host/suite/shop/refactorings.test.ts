/** Tests that refactorings and their command exist in VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension } from '../extension.ts';

describe('refactorings in the editor', () => {
  before(async () => {
    await (await extension().activate()).whenReady();
  });

  it('write a selector in another form, and offer to copy and to label', async () => {
    const [file] = await vscode.workspace.findFiles('basket.yaml');
    assert.ok(file);
    const document = await vscode.workspace.openTextDocument(file);
    const at = document.positionAt(document.getText().indexOf('matchLabels:'));
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      file,
      new vscode.Range(at, at),
      vscode.CodeActionKind.Refactor.value,
      10,
    );
    const titles = found.map(({ title }) => title);
    const [rewrite, copy, label] = [
      'Convert to matchExpressions',
      'Copy the selector as a kubectl command',
      'Label matching objects…',
    ];
    for (const title of [rewrite, copy, label]) assert.ok(titles.includes(title ?? ''), titles.join());
    const edit = found.find(({ title }) => title === rewrite)?.edit;
    assert.match(edit?.get(file)[0]?.newText ?? '', /^matchExpressions:\n {6}- key: app/);
    const commands = await vscode.commands.getCommands(true);
    for (const title of [copy, label]) {
      const command = found.find((each) => each.title === title)?.command?.command;
      assert.ok(command !== undefined && commands.includes(command), title);
    }
  });
});
