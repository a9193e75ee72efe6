/** Tests that an editor that sends the content of files at HEAD receives the rejected updates. */
import assert from 'node:assert/strict';
import { type ClientCapabilities, FileChangeType } from 'vscode-languageserver/node';
import { type BaseParams, baseNotification } from '../../server/src/protocol.ts';
import { ableEditor, type Client } from './client.ts';
import { deployment, service } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const capabilities: ClientCapabilities = {
  ...ableEditor,
  textDocument: { ...ableEditor.textDocument, publishDiagnostics: { relatedInformation: true } },
};
const web = deployment('web');
const relabeled = deployment('web', { app: 'site' });
const kustomization = (more: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n${more}`;

/** Sends a state and waits until the server requests a refresh of diagnostics. */
async function send(client: Client, params: BaseParams): Promise<void> {
  const before = client.refreshes;
  await client.connection.sendNotification(baseNotification, params);
  await client.until(() => client.refreshes > before);
}

async function rejections(client: Client, uri: string): Promise<readonly string[]> {
  const found = (await client.pull(uri)).filter(({ code }) => String(code).startsWith('immutable-'));
  return found.map(({ message, relatedInformation = [] }) =>
    [message, ...relatedInformation.map((each) => each.message)].join(' | '),
  );
}

const expected =
  'The selector of Deployment/web differs from HEAD (app=web) and is immutable. The API server rejects this change. | At HEAD: app=web. To apply the change, delete and recreate Deployment/web: its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.';

describe('changes since a base', () => {
  afterEach(stopEverything);

  async function start(files: Readonly<Record<string, string>>) {
    const folder = makeFolder(files);
    const client = await startServer({ capabilities, folders: [folder.uri] });
    await client.whenReady();
    return { folder, client };
  }

  it('are reported while typing, and no longer once they are undone', async () => {
    const { folder, client } = await start({ 'web.yaml': web, 'service.yaml': service('web') });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, relabeled);
    assert.deepEqual(await rejections(client, uri), []);
    await send(client, { name: 'HEAD', version: '1', files: [{ uri, text: web }] });
    assert.deepEqual(await rejections(client, uri), [expected]);
    const before = client.refreshes;
    await client.change(uri, { text: web });
    await client.until(() => client.refreshes > before);
    assert.deepEqual(await rejections(client, uri), []);
  });

  it('are reported in the kustomization that causes them, also in a closed file', async () => {
    const { folder, client } = await start({ 'web.yaml': web, 'kustomization.yaml': kustomization('') });
    const uri = folder.uriOf('kustomization.yaml');
    await client.open(uri, kustomization('commonLabels: {team: blue}\n'));
    await send(client, { name: 'HEAD', files: [{ uri, text: kustomization('') }] });
    assert.deepEqual(await rejections(client, uri), [expected]);
  });

  it('concern only existing files, and none without a base', async () => {
    const { folder, client } = await start({ 'web.yaml': relabeled });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, relabeled);
    await send(client, { name: 'HEAD', files: [{ uri, text: null }] });
    assert.deepEqual(await rejections(client, uri), []);
    await send(client, { name: 'HEAD', files: [{ uri, text: web }] });
    assert.equal((await rejections(client, uri)).length, 1);
    await send(client, { name: null });
    assert.deepEqual(await rejections(client, uri), []);
  });

  it('are computed again after files changed on disk and after a new commit', async () => {
    const { folder, client } = await start({ 'web.yaml': relabeled, 'other.yaml': deployment('other') });
    const uri = folder.uriOf('other.yaml');
    await client.open(uri, deployment('other', { app: 'changed' }));
    await send(client, { name: 'HEAD', version: '1', files: [{ uri, text: deployment('other') }] });
    assert.equal((await rejections(client, uri)).length, 1);
    // A pull from the remote repository writes another state to the disk.
    folder.write('web.yaml', web);
    await client.changedOutside([folder.uriOf('web.yaml'), FileChangeType.Changed]);
    await send(client, { name: 'HEAD', version: '2', files: [{ uri, text: deployment('other') }] });
    await client.open(folder.uriOf('web.yaml'), web);
    assert.deepEqual(await rejections(client, folder.uriOf('web.yaml')), []);
    assert.equal((await rejections(client, uri)).length, 1);
  });

  it('are not compared if they are too many', async () => {
    const { folder, client } = await start({ 'web.yaml': web });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, relabeled);
    await send(client, { name: 'HEAD', files: [{ uri, text: web }] });
    const many = Array.from({ length: 2_001 }, (_, index) => ({ uri: folder.uriOf(`${index}.yaml`), text: '' }));
    await send(client, { name: 'HEAD', files: [{ uri, text: web }, ...many] });
    assert.deepEqual(await rejections(client, uri), []);
  });
});
