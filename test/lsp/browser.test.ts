/** Tests the server for the browser with the globals of a worker and a client that reads files for it. */
import assert from 'node:assert/strict';
import { startWorker } from './browser-world.ts';
import { actingEditor } from './client.ts';
import { serveFiles } from './client-files.ts';
import { configMap, deployment, service } from './manifests.ts';
import { rangeOf, withFix } from './places.ts';

const folder = 'vscode-test-web://mount/shop';
const web = service('web');

describe('the server in a web worker', () => {
  it('lists and reads through the client, and provides a hover and a preview', async () => {
    const { client, printed, terminate } = startWorker({ folders: [folder] });
    const asked = serveFiles(client, folder, {
      'web.yaml': `\uFEFF# 🦊\n${deployment('web')}`,
      'api.yaml': deployment('api'),
      'picture.yaml': Uint8Array.of(0, 1, 2),
      'latin1.yaml': Uint8Array.of(0x63, 0xe9),
    });
    const { serverInfo } = await client.initialize();
    assert.equal(serverInfo?.name, 'selector-lens');
    const uri = `${folder}/service.yaml`;
    await client.open(uri, web);
    assert.deepEqual(await client.whenReady(), { files: 3, objects: 3, skipped: 2 });
    assert.deepEqual(asked, [folder]);
    const hover = await client.hover(uri, web, 'app: web');
    assert.match(
      hover,
      /\*\*Matches\*\* \(1\)\n- \[Deployment\/web\]\(<vscode-test-web:\/\/mount\/shop\/web\.yaml#L12,7>\)/,
    );
    const preview = await client.previewText('app in (api)');
    assert.deepEqual(
      preview.groups[0]?.items.map(({ name }) => name),
      ['api'],
    );
    for (const name of ['picture.yaml', 'latin1.yaml']) {
      assert.equal(client.log.filter((line) => line.includes(`/${name}`)).length, 1, name);
    }
    await client.until(() => client.progress.includes('ready'));
    assert.equal(client.progress[0], 'begin');
    await client.connection.sendRequest('shutdown');
    assert.deepEqual(client.errors, []);
    assert.deepEqual(printed, []);
    terminate();
  });

  it('reports and fixes a finding in an unsaved document', async () => {
    const { client, printed, terminate } = startWorker({ capabilities: actingEditor });
    await client.initialize();
    const text = configMap('owner: Team 🦊');
    const uri = 'untitled:Untitled-1';
    await client.open(uri, text);
    await client.until(() => client.published.length > 0);
    const [found, ...others] = client.published[0]?.diagnostics ?? [];
    assert.deepEqual(others, []);
    assert.ok(found !== undefined);
    assert.deepEqual(found.range, rangeOf(text, 'Team 🦊'));
    const fixed = (await client.fixes(uri, found)).map((fix) => withFix(text, uri, fix));
    assert.ok(fixed.includes(configMap('owner: Team')), fixed.join('\n'));
    await client.connection.sendRequest('shutdown');
    assert.deepEqual(client.errors, []);
    assert.deepEqual(printed, []);
    terminate();
  });

  it('reports that it is not ready while the client still reads', async () => {
    const { client, terminate } = startWorker({ folders: [folder] });
    let answer = () => {};
    const listed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    serveFiles(client, folder, { 'web.yaml': deployment('web') }, listed);
    await client.initialize();
    const uri = `${folder}/service.yaml`;
    await client.open(uri, web);
    await client.until(() => client.progress.includes('begin'));
    assert.match(await client.hover(uri, web, 'app: web'), /still being indexed/);
    answer();
    await client.whenReady();
    assert.match(await client.hover(uri, web, 'app: web'), /\*\*Matches\*\* \(1\)/);
    terminate();
  });
});
