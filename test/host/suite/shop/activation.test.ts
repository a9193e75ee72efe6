/**
 * Tests in a folder with manifests that the extension activates, and provides everything that package.json declares.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension } from '../extension.ts';

describe('activation in a folder with manifests', () => {
  it('starts the server and indexes the folder', async () => {
    const lens = await extension().activate();
    assert.equal(await lens.scanned, true);
    const { files, objects } = await lens.whenReady();
    assert.ok(files > 0 && objects > 0, `${files} files, ${objects} objects`);
  });

  it('registers every command that package.json declares', async () => {
    await extension().activate();
    const declared: { command: string }[] = extension().packageJSON.contributes.commands;
    const known = await vscode.commands.getCommands(true);
    for (const { command } of declared) assert.ok(known.includes(command), command);
  });

  it('leaves language ids and schemas to others', () => {
    const { languages, jsonValidation, yamlValidation } = extension().packageJSON.contributes;
    assert.deepEqual(
      languages.map(({ id }: { readonly id: string }) => id),
      ['kube-selector'],
    );
    assert.deepEqual([jsonValidation, yamlValidation], [undefined, undefined]);
  });

  it('reads the folder again when the server is restarted', async () => {
    const lens = await extension().activate();
    const before = await lens.whenReady();
    await vscode.commands.executeCommand('selectorLens.restartServer');
    assert.deepEqual(await lens.whenReady(), before);
  });
});
