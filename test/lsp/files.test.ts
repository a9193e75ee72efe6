/** Tests that the server uses the text of an editor, otherwise that on disk, and that each file is known once. */
import assert from 'node:assert/strict';
import { FileChangeType } from 'vscode-languageserver/node';
import { type Client, plainEditor } from './client.ts';
import { serveFiles } from './client-files.ts';
import { deployment, service } from './manifests.ts';
import { placeOf, rangeOf } from './places.ts';
import { type Folder, makeFolder, startServer, stopEverything } from './start.ts';

const web = service('web');

describe('files that change outside of the editor', () => {
  afterEach(stopEverything);

  it('change what a hover shows: created, changed and deleted', async () => {
    const { client, folder, shown } = await shop({});
    assert.deepEqual(await shown(), []);
    await outside(client, [folder.write('web.yaml', deployment('web')), FileChangeType.Created]);
    assert.deepEqual(await shown(), ['Deployment/web']);
    await outside(client, [folder.write('web.yaml', deployment('shop', { app: 'web' })), FileChangeType.Changed]);
    assert.deepEqual(await shown(), ['Deployment/shop']);
    await outside(client, [folder.remove('web.yaml'), FileChangeType.Deleted]);
    assert.deepEqual(await shown(), []);
  });

  it('are updated when they are saved, in an editor that does not watch files', async () => {
    const folder = makeFolder({ 'service.yaml': web, 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri], capabilities: plainEditor });
    const [serviceUri, webUri] = [folder.uriOf('service.yaml'), folder.uriOf('web.yaml')];
    await client.open(serviceUri, web);
    await client.whenReady();
    const saved = deployment('web', { app: 'shop' });
    await client.open(webUri, saved);
    folder.write('web.yaml', saved);
    await client.until(() => client.published.some(({ uri }) => uri === webUri));
    const before = client.published.length;
    await client.save(webUri);
    await client.until(() => client.published.length > before);
    await client.close(webUri);
    const preview = await client.preview(serviceUri, placeOf(web, 'selector'));
    assert.deepEqual(
      preview?.groups.filter(({ kind }) => kind === 'matches'),
      [],
    );
  });

  it('are read in one batch', async () => {
    const { client, folder, shown } = await shop({ 'old.yaml': deployment('old', { app: 'web' }) });
    assert.deepEqual(await shown(), ['Deployment/old']);
    await outside(
      client,
      [folder.remove('old.yaml'), FileChangeType.Deleted],
      [folder.write('a.yaml', deployment('a', { app: 'web' })), FileChangeType.Created],
      [folder.write('b.yaml', deployment('b', { app: 'web' })), FileChangeType.Created],
    );
    assert.deepEqual(await shown(), ['Deployment/a', 'Deployment/b']);
  });

  it('are ignored before the first request, and then read', async () => {
    const folder = makeFolder();
    const client = await startServer({ folders: [folder.uri] });
    await client.changedOutside([folder.write('web.yaml', deployment('web')), FileChangeType.Created]);
    assert.deepEqual(await client.whenReady(), { files: 1, objects: 1, skipped: 0 });
  });

  it('are no longer skipped once they can be read', async () => {
    const folder = makeFolder({ 'web.yaml': Uint8Array.of(0, 1, 2) });
    const client = await startServer({ folders: [folder.uri] });
    assert.deepEqual(await client.whenReady(), { files: 0, objects: 0, skipped: 1 });
    await outside(client, [folder.write('web.yaml', deployment('web')), FileChangeType.Changed]);
    const other = makeFolder();
    await client.addFolder(other.uri);
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(client.ready.at(-1), { files: 1, objects: 1, skipped: 0 });
  });
});

describe('an open document', () => {
  afterEach(stopEverything);

  it('has its content in the editor, not on disk', async () => {
    const { client, folder, shown } = await shop({ 'web.yaml': deployment('web') });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, deployment('typed', { app: 'web' }));
    assert.deepEqual(await shown(), ['Deployment/typed']);
    await outside(client, [folder.write('web.yaml', deployment('saved', { app: 'web' })), FileChangeType.Changed]);
    assert.deepEqual(await shown(), ['Deployment/typed']);
    await client.close(uri);
    assert.deepEqual(await shown(), ['Deployment/saved']);
  });

  it('stays when its file is deleted, until it is closed', async () => {
    const { client, folder, shown } = await shop({ 'web.yaml': deployment('web') });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, deployment('web'));
    await outside(client, [folder.remove('web.yaml'), FileChangeType.Deleted]);
    assert.deepEqual(await shown(), ['Deployment/web']);
    await client.close(uri);
    assert.deepEqual(await shown(), []);
  });

  it('is one file under two spellings of its URI', async () => {
    const { client, folder, shown } = await shop({ 'we b.yaml': deployment('web') });
    const spelled = folder.uriOf('we b.yaml').replace('file:///', 'file:///./').replace('.yaml', '%2Eyaml');
    assert.notEqual(spelled, folder.uriOf('we b.yaml'));
    await client.open(spelled, deployment('typed', { app: 'web' }));
    assert.deepEqual(await shown(), ['Deployment/typed']);
    await client.close(spelled);
    assert.deepEqual(await shown(), ['Deployment/web']);
  });

  it('need not be saved: an untitled document is a separate scope', async () => {
    const { client, shown } = await shop({ 'web.yaml': deployment('web') });
    const both = `${deployment('new', { app: 'web' })}---\n${web}`;
    for (const uri of ['untitled:Untitled-1', 'untitled:Untitled-2']) await client.open(uri, both);
    for (const uri of ['untitled:Untitled-1', 'untitled:Untitled-2']) {
      const preview = await client.preview(uri, placeOf(both, 'selector:\n    app'));
      const here = preview?.groups.find(({ kind }) => kind === 'matches')?.items.map((item) => item.uri);
      assert.deepEqual(here, [uri]);
    }
    assert.deepEqual(await shown(), ['Deployment/web']);
    const hover = await client.hover('untitled:Untitled-1', both, 'selector:\n    app');
    assert.doesNotMatch(hover, /\.\.\/file:/);
  });

  it('of a scheme outside the workspace has answers, and is invisible for other files', async () => {
    const { client, folder, shown } = await shop({ 'web.yaml': deployment('web') });
    const old = folder.uriOf('service.yaml').replace('file://', 'git:');
    const [head, staged] = [`${old}?%7B%22ref%22%3A%22HEAD%22%7D`, `${old}?%7B%22ref%22%3A%22%22%7D`];
    const before = `${deployment('gone', { app: 'web', owner: 'Team Blue' })}---\n${web}`;
    const after = `${deployment('gone', { app: 'web' })}---\n${service('web', { app: 'api' })}`;
    const ready = await client.whenReady();
    await client.open(head, before);
    await client.open(staged, after);
    assert.deepEqual(await client.whenReady(), ready);
    assert.deepEqual(await shown(), ['Deployment/web']);
    assert.deepEqual(labelsIn(await client.previewText('app')), ['Deployment/web']);
    assert.deepEqual(await client.pull(head), []);
    const hover = await client.hover(head, before, 'selector:\n    app');
    assert.match(hover, /where `app` is 'web'/);
    assert.match(hover, /\[Deployment\/web\]/);
    assert.doesNotMatch(hover, /git:|\.\.\/file:/);
    await client.close(head);
    assert.match(await client.hover(staged, after, 'selector:\n    app'), /where `app` is 'api'/);
    await client.changedOutside([folder.write('more.yaml', deployment('more')), FileChangeType.Created]);
    await client.addFolder(makeFolder().uri);
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(labelsIn(await client.previewText('app')), ['Deployment/more', 'Deployment/web']);
  });

  it('of another scheme is in the workspace if a folder has that scheme', async () => {
    const folder = 'vscode-vfs://github/shop';
    const client = await startServer({ capabilities: plainEditor, folders: [folder] });
    serveFiles(client, folder, {});
    await client.open(`${folder}/web.yaml`, deployment('web'));
    await client.open(`${folder}/service.yaml`, web);
    await client.whenReady();
    assert.deepEqual(await matchesOf(client, `${folder}/service.yaml`), ['Deployment/web']);
  });

  it('of another scheme has neighbors that the server reads through the client', async () => {
    const folder = 'vscode-vfs://github/shop';
    const client = await startServer({ folders: [folder] });
    const bad = { 'gone.yaml': 'notFound', 'big.yaml': 'tooLarge', 'latin1.yaml': Uint8Array.of(0x63, 0xe9) } as const;
    const asked = serveFiles(client, folder, { 'web.yaml': deployment('web'), ...bad });
    await client.open(`${folder}/service.yaml`, web);
    assert.deepEqual(await client.whenReady(), { files: 2, objects: 2, skipped: 3 });
    assert.deepEqual(asked, [folder]);
    assert.deepEqual(await matchesOf(client, `${folder}/service.yaml`), ['Deployment/web']);
    for (const name of Object.keys(bad)) {
      assert.equal(client.log.filter((line) => line.includes(`${folder}/${name}`)).length, 1, name);
    }
  });

  it('has answers even if the client cannot list its folder, which is reported as skipped', async () => {
    const folder = 'vscode-vfs://github/shop';
    const client = await startServer({ folders: [folder] });
    client.connection.onRequest('selector-lens/list', () => {
      throw new Error('no such host');
    });
    await client.open(`${folder}/service.yaml`, web);
    assert.deepEqual(await client.whenReady(), { files: 1, objects: 1, skipped: 1 });
    assert.equal(client.log.filter((line) => line.startsWith(`Skipped ${folder}: `)).length, 1);
    const hover = await client.hover(`${folder}/service.yaml`, web, 'selector');
    assert.doesNotMatch(hover, /still being indexed/);
  });
});

/** A workspace with an open Service that selects `app: web`, and its matches. */
async function shop(files: Readonly<Record<string, string>>) {
  const folder: Folder = makeFolder({ ...files, 'service.yaml': web });
  const client = await startServer({ folders: [folder.uri] });
  const uri = folder.uriOf('service.yaml');
  await client.open(uri, web);
  await client.whenReady();
  await client.until(() => client.ready.length === 1 && client.refreshes > 0);
  return { client, folder, shown: () => matchesOf(client, uri) };
}

/** The certain matches in a hover of the open Service. */
async function matchesOf(client: Client, uri: string): Promise<readonly string[]> {
  const hover = await client.hoverAt(uri, rangeOf(web, 'app: web').start);
  assert.ok(hover !== null && typeof hover.contents === 'object' && 'value' in hover.contents);
  // An editor without support for Markdown receives plain text.
  const [, list = ''] = /^(?:\*\*)?Matches(?:\*\*)? \(\d+\)\n((?:- .*\n?)*)/m.exec(hover.contents.value) ?? [];
  return [...list.matchAll(/^- \[?([^\]\s]+)/gm)].map((match) => match[1] ?? '').sort();
}

/** Notifies the server of changes, and waits until it has requested a refresh. */
async function outside(client: Client, ...changes: readonly (readonly [string, FileChangeType])[]): Promise<void> {
  const refreshes = client.refreshes;
  await client.changedOutside(...changes);
  await client.until(() => client.refreshes > refreshes);
}

function labelsIn(preview: Awaited<ReturnType<Client['previewText']>>): readonly string[] {
  return preview.groups.flatMap((group) => group.items.map((item) => `${item.kind}/${item.name}`)).sort();
}
