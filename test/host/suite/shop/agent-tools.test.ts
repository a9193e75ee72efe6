/** Tests the tools for agents through the language model API of VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { open } from '../documents.ts';
import { extension } from '../extension.ts';

/** Calls a tool, and returns the JSON of its answer. */
async function call(name: string, input: object) {
  const result = await vscode.lm.invokeTool(`selector_lens_${name}`, { input, toolInvocationToken: undefined });
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value.slice(part.value.indexOf('\n') + 1));
}

describe('the tools for agents', () => {
  it('are known to VS Code with their schemas', async () => {
    await extension().activate();
    const declared: { readonly name: string; readonly inputSchema: object }[] =
      extension().packageJSON.contributes.languageModelTools;
    assert.ok(declared.length >= 9);
    for (const { name, inputSchema } of declared) {
      const tool = vscode.lm.tools.find((each) => each.name === name);
      assert.deepEqual(tool?.inputSchema, inputSchema, name);
    }
  });

  it('answer from the index, with the text of unsaved documents', async () => {
    const { objects } = await call('objects', {});
    assert.ok(objects.length > 0);
    const { selectors } = objects.find((each: { readonly selectors: readonly object[] }) => each.selectors.length > 0);
    assert.ok(selectors[0].canonical);
    const [{ file }] = objects;
    const document = await open(file);
    const before = await call('match', { selector: 'agent-test=yes' });
    assert.deepEqual(before.objects, []);
    const pod = '\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: unsaved, labels: { agent-test: "yes" } }\n';
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(document.getText().length), pod);
    await vscode.workspace.applyEdit(edit);
    const { objects: found } = await call('match', { selector: 'agent-test=yes' });
    assert.deepEqual(
      found.map(({ name }: { readonly name: string }) => name),
      ['unsaved'],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
