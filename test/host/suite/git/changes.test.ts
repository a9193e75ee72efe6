/** Tests in a real repository that rejected updates against HEAD are reported while the user types. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { open } from '../documents.ts';
import { extension } from '../extension.ts';
import { until } from '../until.ts';

function rejections(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ code }) => {
    return typeof code === 'object' && String(code.value).startsWith('immutable-');
  });
}

/** Waits until a number of updates is reported as rejected, each with a text: another base is in use a little after it was chosen. */
async function rejected(uri: vscode.Uri, count: number, says = /./): Promise<readonly vscode.Diagnostic[]> {
  await until(
    vscode.languages.onDidChangeDiagnostics,
    () => rejections(uri).length === count && rejections(uri).every(({ message }) => says.test(message)),
    () => JSON.stringify(vscode.languages.getDiagnostics(uri)),
  );
  return rejections(uri);
}

async function replace(document: vscode.TextDocument, text: string, by: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, all, document.getText().replaceAll(text, by));
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** The part of the API of `vscode.git` that stages files and unstages them. */
interface Staging {
  add(paths: readonly string[]): Promise<void>;
  revert(paths: readonly string[]): Promise<void>;
}

interface Git {
  getAPI(version: 1): { getRepository(uri: vscode.Uri): Staging | null };
}

async function repositoryOf(uri: vscode.Uri): Promise<Staging> {
  const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
  const repository = git?.getAPI(1).getRepository(uri);
  assert.ok(repository, 'no repository');
  return repository;
}

describe('changes since HEAD', () => {
  it('are reported before and after the file is saved, and no longer once they are undone', async () => {
    const document = await open('web.yaml');
    await (await extension().activate()).whenReady();
    await replace(document, 'app: web', 'app: site');
    const [typed] = await rejected(document.uri, 1);
    assert.match(
      typed?.message ?? '',
      /^The selector of Deployment\/web differs from HEAD \(app=web\) and is immutable\./,
    );
    assert.match(typed?.relatedInformation?.[0]?.message ?? '', /^At HEAD: app=web\. To apply the change/);
    await document.save();
    await rejected(document.uri, 1);
    await replace(document, 'app: site', 'app: web');
    await rejected(document.uri, 0);
    await document.save();
  });

  it('are found in a new file, and since a commit of the setting', async () => {
    const document = await open('service.yaml');
    await replace(document, '  selector:', '  clusterIP: None\n  selector:');
    assert.equal((await rejected(document.uri, 1)).length, 1);
    const settings = vscode.workspace.getConfiguration('selectorLens');
    await settings.update('compareWith', '', vscode.ConfigurationTarget.Workspace);
    await rejected(document.uri, 0);
    await settings.update('compareWith', undefined, vscode.ConfigurationTarget.Workspace);
    await rejected(document.uri, 1);
  });

  it('since the index change when a file is staged and unstaged', async () => {
    const document = await open('web.yaml');
    const settings = vscode.workspace.getConfiguration('selectorLens');
    const repository = await repositoryOf(document.uri);
    try {
      await settings.update('compareWith', 'index', vscode.ConfigurationTarget.Workspace);
      await replace(document, 'app: web', 'app: site');
      await document.save();
      await rejected(document.uri, 1, /^The selector of Deployment\/web differs from the index \(app=web\)/);
      await repository.add([document.uri.fsPath]);
      await rejected(document.uri, 0);
      await replace(document, 'app: site', 'app: web');
      await rejected(document.uri, 1, /differs from the index \(app=site\)/);
      await document.save();
      await repository.revert([document.uri.fsPath]);
      await rejected(document.uri, 0);
    } finally {
      await settings.update('compareWith', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });
});
