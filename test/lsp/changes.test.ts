/**
 * Tests that an editor that shows changes since HEAD receives lost and gained matches and objects to recreate, by
 * scope.
 */
import assert from 'node:assert/strict';
import { type BaseParams, baseNotification, type Changes, changesRequest } from '../../server/src/protocol.ts';
import { deployment, service } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

/** The response as lines: the sentence, then the positions of the edit, the object and the selected object. */
function shown({ scopes }: Changes): readonly string[] {
  return scopes.flatMap(({ name, groups }) =>
    groups.flatMap(({ kind, items }) =>
      items.map(({ message, place, object, target }) => {
        const places = [place, object.place, target?.place].map((each) =>
          each === undefined ? '-' : `${each.uri.split('/').at(-1)}:${each.range.start.line + 1}`,
        );
        return `${name} ${kind}: ${message} ${places.join(' ')}`;
      }),
    ),
  );
}

const recreate =
  'its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost';

describe('the changes since a base', () => {
  afterEach(stopEverything);

  async function start(files: Readonly<Record<string, string>>) {
    const folder = makeFolder(files);
    const client = await startServer({ folders: [folder.uri], initializationOptions: { changes: true } });
    await client.whenReady();
    const ask = () => client.connection.sendRequest<Changes>(changesRequest);
    /** The changes after the server has notified that they may differ. */
    const after = async (act: () => Promise<unknown>) => {
      const before = client.changes;
      await act();
      await client.until(() => client.changes > before);
      return ask();
    };
    const send = (params: BaseParams) => after(() => client.connection.sendNotification(baseNotification, params));
    /** Sends the content of files in the base; null for one that did not exist. */
    const compare = (files: Readonly<Record<string, string | null>>) =>
      send({
        name: 'HEAD',
        files: Object.entries(files).map(([name, text]) => ({ uri: folder.uriOf(name), text })),
      });
    return { folder, client, ask, after, send, compare };
  }

  it('are none without a base, and follow edits', async () => {
    const { folder, client, ask, after, compare } = await start({
      'web.yaml': deployment('web'),
      'service.yaml': service('web'),
    });
    const uri = folder.uriOf('web.yaml');
    assert.deepEqual(await ask(), { base: null, complete: true, problems: [], scopes: [] });
    await client.open(uri, deployment('web'));
    const same = await compare({ 'web.yaml': deployment('web') });
    assert.deepEqual(same, { base: 'HEAD', complete: true, problems: [], scopes: [] });
    const changed = await after(() => client.change(uri, { text: deployment('web', { app: 'site' }) }));
    const scope = folder.uri.split('/').at(-1);
    assert.deepEqual(shown(changed), [
      `${scope} recreate: The selector of Deployment/web changed from 'app=web' to 'app=site' and is immutable: the API server rejects this. If the object is deleted and recreated, ${recreate}. web.yaml:8 web.yaml:4 -`,
      `${scope} lost: Service/web no longer selects Deployment/web. web.yaml:12 service.yaml:4 web.yaml:4`,
    ]);
    assert.deepEqual(shown(await after(() => client.change(uri, { text: deployment('web') }))), []);
  });

  it('are listed for each overlay that applies them', async () => {
    const { compare } = await start({
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': deployment('web'),
      'base/service.yaml': service('web'),
      'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\n',
      'prod/kustomization.yaml': 'resources: [../base]\nnamespace: prod\n',
    });
    assert.deepEqual(shown(await compare({ 'base/service.yaml': service('web', { app: 'site' }) })), [
      'dev gained: Service/dev-web now selects Deployment/dev-web. service.yaml:7 service.yaml:4 web.yaml:4',
      'prod gained: Service/web now selects Deployment/web in prod. service.yaml:7 service.yaml:4 web.yaml:4',
    ]);
  });

  it('show new and deleted objects, but not those deleted with all their matches', async () => {
    const { compare } = await start({ 'web.yaml': deployment('web'), 'new.yaml': service('new', { app: 'web' }) });
    const files = {
      'new.yaml': null,
      'old.yaml': service('old', { app: 'web' }),
      'both.yaml': `${deployment('both')}---\n${service('both')}`,
    };
    assert.deepEqual(
      shown(await compare(files)).map((line) => line.replace(/^\S+ /, '')),
      [
        'lost: Service/old is gone: it no longer selects Deployment/web. - - web.yaml:4',
        'gained: Service/new is new: it selects Deployment/web. new.yaml:7 new.yaml:4 web.yaml:4',
      ],
    );
  });

  it('are lost if a selector and the labels changed to different values', async () => {
    const { compare } = await start({
      'web.yaml': deployment('web', { app: 'site' }),
      'service.yaml': service('web', { app: 'website' }),
    });
    const changes = await compare({ 'web.yaml': deployment('web'), 'service.yaml': service('web') });
    assert.deepEqual(
      changes.scopes.flatMap(({ groups }) => groups.map(({ kind }) => kind)),
      ['recreate', 'lost'],
    );
    const together = await compare({
      'web.yaml': deployment('web', { app: 'a' }),
      'service.yaml': service('web', { app: 'b' }),
    });
    assert.deepEqual(
      together.scopes.flatMap(({ groups }) => groups.map(({ kind }) => kind)),
      ['recreate'],
    );
  });

  it('contain nothing about text that cannot be parsed', async () => {
    const files = {
      'kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'web.yaml': deployment('web'),
      'service.yaml': service('web'),
    };
    const { folder, client, after, compare } = await start(files);
    const uri = folder.uriOf('kustomization.yaml');
    await client.open(uri, files['kustomization.yaml']);
    await compare({ 'kustomization.yaml': files['kustomization.yaml'] });
    const broken = await after(() =>
      client.change(uri, { text: 'resources: [web.yaml\ncommonLabels: {team: blue}\n' }),
    );
    assert.deepEqual(shown(broken), []);
    await client.open(folder.uriOf('service.yaml'), files['service.yaml']);
    await after(() => client.change(uri, { text: files['kustomization.yaml'] }));
    const half = files['service.yaml'].replace('kind: Service', 'kind: Serv').concat('  x: [\n');
    assert.deepEqual(shown(await after(() => client.change(folder.uriOf('service.yaml'), { text: half }))), []);
  });

  it('are not compared if they are too many, and state that', async () => {
    const { send, folder } = await start({ 'web.yaml': deployment('web') });
    const files = Array.from({ length: 2_001 }, (_, index) => ({ uri: folder.uriOf(`${index}.yaml`), text: '' }));
    assert.deepEqual(await send({ name: 'main', files }), {
      base: null,
      complete: true,
      problems: ['2001 files differ from main, too many to compare.'],
      scopes: [],
    });
  });

  it('are returned whatever parameters a client sends', async () => {
    const { client } = await start({ 'web.yaml': deployment('web') });
    for (const params of [null, {}, { textDocument: { uri: 'file:///web.yaml' } }]) {
      const { base } = await client.connection.sendRequest<Changes>(changesRequest, params);
      assert.equal(base, null);
    }
  });
});
