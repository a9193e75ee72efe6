/** Tests the notifications of the start and end of indexing, and the responses before its end. */
import assert from 'node:assert/strict';
import { plainEditor } from './client.ts';
import { deployment, service } from './manifests.ts';
import { placeOf, rangeOf } from './places.ts';
import { connectServer, makeFolder, startServer, stopEverything } from './start.ts';

const web = service('web');

describe('indexing', () => {
  afterEach(stopEverything);

  it('reports progress from begin to end, and then that it is ready', async () => {
    const folder = makeFolder({ 'app/web.yaml': deployment('web'), 'app/service.yaml': web, 'notes.yaml': 'a: b\n' });
    const client = await startServer({ folders: [folder.uri] });
    assert.deepEqual(await client.whenReady(), { files: 2, objects: 2, skipped: 0 });
    await client.until(() => client.progress.includes('ready'));
    assert.equal(client.progress[0], 'begin');
    assert.deepEqual(client.progress.slice(-2), ['end', 'ready']);
    assert.deepEqual(client.ready, [{ files: 2, objects: 2, skipped: 0 }]);
  });

  it('reports no progress to an editor without that capability, and becomes ready nevertheless', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ capabilities: plainEditor, folders: [folder.uri] });
    await client.whenReady();
    await client.until(() => client.ready.length === 1);
    assert.deepEqual(client.progress, ['ready']);
  });

  it('happens once, for any number of requests', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri] });
    await client.open(folder.uriOf('web.yaml'), deployment('web'));
    const answers = await Promise.all([client.whenReady(), client.whenReady(), client.whenReady()]);
    assert.deepEqual(answers, Array(3).fill({ files: 1, objects: 1, skipped: 0 }));
    await client.stop();
    assert.equal(client.progress.filter((kind) => kind === 'begin').length, 1);
    assert.equal(client.ready.length, 1);
  });

  it('allows a hover meanwhile, which states that it continues', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web'), 'service.yaml': web });
    const client = connectServer({ folders: [folder.uri] });
    let allow = () => {};
    client.allowProgress = new Promise((resolve) => {
      allow = resolve;
    });
    await client.initialize();
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, web);
    const before = await client.hover(uri, web, 'selector');
    assert.match(before, /still being indexed/);
    assert.doesNotMatch(before, /Matches/);
    assert.equal((await client.preview(uri, placeOf(web, 'selector')))?.complete, false);
    allow();
    await client.whenReady();
    const after = await client.hover(uri, web, 'selector');
    assert.match(after, /\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]/);
    assert.doesNotMatch(after, /indexed/);
  });

  it('starts with a script that contains a command, and with a values file', async () => {
    const script = 'kubectl get pods -l app=web\n';
    for (const [name, text] of [
      ['get.sh', script],
      ['chart/values.yaml', 'replicas: 1\n'],
    ] as const) {
      const folder = makeFolder({ [name]: text, 'web.yaml': deployment('web') });
      const client = await startServer({ capabilities: plainEditor, folders: [folder.uri] });
      await client.open(folder.uriOf(name), text);
      await client.until(() => client.ready.length === 1);
      if (text !== script) continue;
      assert.match(await client.hover(folder.uriOf(name), text, 'app=web'), /Matches \(1\)\n- Deployment\/web/);
    }
  });

  it('includes an added folder, and drops a removed one', async () => {
    const first = makeFolder({ 'service.yaml': web });
    const second = makeFolder({ 'web.yaml': deployment('web'), 'api.yaml': deployment('api') });
    const client = await startServer({ folders: [first.uri] });
    await client.whenReady();
    await client.until(() => client.ready.length === 1);
    assert.deepEqual((await client.previewText('app')).groups, []);
    await client.addFolder(second.uri);
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(client.ready.at(-1), { files: 3, objects: 3, skipped: 0 });
    assert.deepEqual(namesIn(await client.previewText('app')), ['Deployment/api', 'Deployment/web']);
    await client.removeFolder(second.uri);
    await client.until(() => client.ready.length === 3);
    assert.deepEqual((await client.previewText('app')).groups, []);
  });
});

describe('preview', () => {
  afterEach(stopEverything);

  it('returns the matches of the selector at a position', async () => {
    const files = { 'web.yaml': deployment('web'), 'near.yaml': deployment('near', { app: 'webs', tier: 'a' }) };
    const folder = makeFolder({ ...files, 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, web);
    const preview = await client.preview(uri, placeOf(web, 'app: web'));
    assert.deepEqual(preview?.site, {
      uri,
      range: rangeOf(web, 'selector'),
      owner: 'Service/web',
      path: 'spec.selector',
    });
    assert.equal(preview?.selector, 'app=web');
    assert.equal(preview?.complete, true);
    const matches = preview?.groups.find((group) => group.kind === 'matches');
    assert.deepEqual(matches?.items, [
      {
        group: 'apps',
        kind: 'Deployment',
        name: 'web',
        via: 'spec.template',
        uri: folder.uriOf('web.yaml'),
        range: { start: { line: 10, character: 6 }, end: { line: 10, character: 12 } },
        labels: { app: 'web', 'pod-template-hash': null },
      },
    ]);
    assert.equal(matches?.total, 1);
  });

  it('is about the object if there is no selector, and null without an open document', async () => {
    const folder = makeFolder({ 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    const uri = folder.uriOf('service.yaml');
    assert.equal(await client.preview(uri, placeOf(web, 'selector')), null);
    await client.open(uri, web);
    assert.equal((await client.preview(uri, placeOf(web, 'metadata')))?.about, 'object');
  });

  it('begins with the chosen overlay, from the start and later', async () => {
    const overlay = 'resources: [../base]\n';
    const folder = makeFolder({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web,
      'dev/kustomization.yaml': overlay,
      'test/kustomization.yaml': overlay,
    });
    const perspective = { scopes: [folder.uriOf('test')], values: [] };
    const client = await startServer({ folders: [folder.uri], initializationOptions: { perspective } });
    await client.whenReady();
    const uri = folder.uriOf('base/web.yaml');
    assert.equal(await client.perspective(uri), null);
    await client.open(uri, web);
    const scopes = async () => (await client.perspective(uri))?.scopes.map(({ name, objects }) => [name, objects]);
    const chosen = [
      ['test', 1],
      ['dev', 1],
    ];
    assert.deepEqual(await scopes(), chosen);
    await client.choosePerspective({ scopes: [folder.uriOf('dev')] });
    assert.deepEqual(await scopes(), chosen.toReversed());
    await client.choosePerspective({ scopes: [folder.uriOf('test')] });
    assert.deepEqual(await scopes(), chosen);
    await client.choosePerspective({});
    assert.equal((await client.preview(uri, placeOf(web, 'selector')))?.scope?.name, 'dev');
  });

  it('is computed again after everything was indexed again', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri] });
    assert.equal((await client.whenReady()).objects, 1);
    folder.write('api.yaml', deployment('api'));
    assert.equal((await client.reindex()).objects, 2);
  });

  it('accepts a selector text, and states its errors', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web'), 'api.yaml': deployment('api') });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    assert.deepEqual(namesIn(await client.previewText('app in (web, api), app!=api')), ['Deployment/web']);
    const broken = await client.previewText('app in (web');
    assert.deepEqual(broken.groups, []);
    assert.equal(broken.problems.length, 1);
  });
});

function namesIn(preview: { readonly groups: readonly { readonly kind: string; readonly items: readonly Named[] }[] }) {
  const matches = preview.groups.filter((group) => group.kind === 'matches').flatMap((group) => group.items);
  return matches.map((item) => `${item.kind}/${item.name}`).sort();
}

interface Named {
  readonly kind: string;
  readonly name: string;
}
