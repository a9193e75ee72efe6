/** Tests events about files: folders, ignore files, and a thousand changes at once. */
import assert from 'node:assert/strict';
import { type Connection, FileChangeType } from 'vscode-languageserver/node';
import type { Clock } from '../../server/src/clock.ts';
import type { Log } from '../../server/src/log.ts';
import type { Indexing } from '../../server/src/lsp/indexing.ts';
import { watchFiles } from '../../server/src/lsp/watched-files.ts';
import { commandFilesPattern } from '../../server/src/protocol.ts';
import type { Session } from '../../server/src/session.ts';
import type { Change } from '../../server/src/workspace/live/file-changes.ts';
import type { FileSource } from '../../server/src/workspace/live/load.ts';
import type { Client } from './client.ts';
import { deployment } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const { Created, Changed, Deleted } = FileChangeType;

describe('an event', () => {
  afterEach(stopEverything);

  it('may be about a deleted folder, and represents its whole content', async () => {
    const { client, folder } = await watched({ 'x/a.yaml': deployment('a'), 'x/y/b.yaml': deployment('b') });
    assert.deepEqual(await names(client), ['a', 'b']);
    await told(client, [folder.remove('x/y'), Deleted]);
    assert.deepEqual(await names(client), ['a']);
    await told(client, [folder.remove('x'), Deleted]);
    assert.deepEqual(await names(client), []);
  });

  it('may be about a moved folder, and represents its whole content', async () => {
    const { client, folder } = await watched({ 'keep.yaml': deployment('keep') });
    folder.write('x/y/a.yaml', deployment('a'));
    await told(client, [folder.uriOf('x'), Created]);
    assert.deepEqual(await names(client), ['a', 'keep']);
  });

  it('about an ignored file adds nothing', async () => {
    const { client, folder } = await watched({ '.gitignore': 'out/\n', 'a.yaml': deployment('a') });
    await told(client, [folder.write('out/b.yaml', deployment('b')), Created], [folder.uriOf('out'), Created]);
    assert.deepEqual(await names(client), ['a']);
  });

  it('about an ignore file indexes everything again', async () => {
    const { client, folder } = await watched({ 'out/a.yaml': deployment('a'), 'b.yaml': deployment('b') });
    await client.changedOutside([folder.write('.gitignore', 'out/\n'), Created]);
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(await names(client), ['b']);
    await client.changedOutside([folder.write('.gitignore', ''), Changed]);
    await client.until(() => client.ready.length === 3);
    assert.deepEqual(await names(client), ['a', 'b']);
  });

  it('about an attributes file updates which files are generated: these have no findings', async () => {
    const text = deployment('a', { app: '-a' });
    const { client, folder } = await watched({ 'out/a.yaml': text });
    const uri = folder.uriOf('out/a.yaml');
    await client.open(uri, text);
    assert.notDeepEqual(await client.pull(uri), []);
    await client.changedOutside([folder.write('.gitattributes', 'out/** linguist-generated\n'), Created]);
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(await client.pull(uri), []);
    await client.changedOutside([folder.write('.gitattributes', ''), Changed]);
    await client.until(() => client.ready.length === 3);
    assert.notDeepEqual(await client.pull(uri), []);
  });

  it('about a configuration above the folder indexes everything again, and these are watched', async () => {
    const off = 'rules: { label-value-syntax: off }\n';
    const text = deployment('a', { app: '-a' });
    const folder = makeFolder({ '.git/HEAD': '', '.selector-lens.yaml': off, 'apps/shop/a.yaml': text });
    const client = await startServer({ folders: [folder.uriOf('apps/shop')] });
    await client.whenReady();
    const uri = folder.uriOf('apps/shop/a.yaml');
    await client.open(uri, text);
    const isQuiet = async () => (await client.pull(uri)).every(({ code }) => code !== 'label-value-syntax');
    assert.equal(await isQuiet(), true);
    await client.until(() => client.registrations.length > 1);
    const around = ['apps', ''].map((name) => folder.uriOf(name).replace(/\/$/, ''));
    assert.deepEqual(client.registrations.at(-1)?.registerOptions, {
      watchers: around.map((baseUri) => ({ globPattern: { baseUri, pattern: '.selector-lens.yaml' } })),
    });
    await client.changedOutside([folder.write('apps/.selector-lens.yaml', ''), Created]);
    await client.until(() => client.ready.length === 2);
    assert.equal(await isQuiet(), false);
    await client.changedOutside([folder.remove('apps/.selector-lens.yaml'), Deleted]);
    await client.until(() => client.ready.length === 3);
    assert.equal(await isQuiet(), true);
  });

  it('is watched for files that kustomizations put into generated objects, unless they are manifests', async () => {
    const kustomization = 'configMapGenerator: [{name: app, files: [conf/app.conf, settings.json, gone.conf]}]\n';
    const folder = makeFolder({ 'kustomization.yaml': kustomization, 'conf/app.conf': 'a', 'settings.json': '{}' });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    await client.until(() => client.registrations.length > 1);
    const watchers = [
      { globPattern: { baseUri: folder.uriOf('conf'), pattern: 'app.conf' } },
      { globPattern: { baseUri: folder.uri, pattern: 'gone.conf' } },
    ];
    assert.deepEqual(client.registrations.at(-1)?.registerOptions, { watchers });
  });

  it('is watched on every path, since a folder may have any name', async () => {
    const { client } = await watched({});
    await client.until(() => client.registrations.some(({ method }) => method === 'workspace/didChangeWatchedFiles'));
    const found = client.registrations.find(({ method }) => method === 'workspace/didChangeWatchedFiles');
    assert.deepEqual(found?.registerOptions, {
      watchers: [
        { globPattern: '**/{*.yaml,*.yml,*.json,*.tpl,Kustomization,CODEOWNERS,.gitignore,.gitattributes}', kind: 2 },
        { globPattern: commandFilesPattern, kind: 2 },
        { globPattern: '**', kind: 5 },
      ],
    });
  });
});

describe('settings of indexing', () => {
  afterEach(stopEverything);

  it('apply from the start, and index everything again when they change', async () => {
    const files = { 'apps/a.yaml': deployment('a'), 'old/b.yaml': deployment('b') };
    const folder = makeFolder(files);
    const client = await startServer({ folders: [folder.uri], settings: { exclude: ['old'] } });
    await client.whenReady();
    assert.deepEqual(await names(client), ['a']);
    await client.changeSettings({ include: ['old/**'] });
    await client.until(() => client.ready.length === 2);
    assert.deepEqual(await names(client), ['b']);
  });

  it('do not affect a document that git ignores: it has findings, and is invisible for others', async () => {
    const { client, folder } = await watched({ '.gitignore': 'out/\n', 'a.yaml': deployment('a') });
    const uri = folder.write('out/b.yaml', deployment('b', { app: '-b' }));
    await client.open(uri, deployment('b', { app: '-b' }));
    assert.notDeepEqual(await client.pull(uri), []);
    assert.deepEqual(await names(client), ['a']);
  });
});

describe('events that arrive during a batch', () => {
  it('form the next batch, with the last event of each file', async () => {
    const { tell, begun, changed, batches } = fakes();
    tell(['a', Changed]);
    const first = await begun();
    tell(['b', Changed], ['c', Created]);
    for (let index = 0; index < 1000; index++) tell([`${index}`, Changed]);
    tell(['c', Deleted], ['a', Changed]);
    first.end();
    (await begun()).end();
    await changed(2);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [1, 1003],
    );
    assert.deepEqual(
      batches[1]?.filter(({ gone }) => gone).map(({ uri }) => uri),
      ['file:///work/c'],
    );
  });

  it('are not lost when a batch fails', async () => {
    const { tell, begun, changed, batches, warnings } = fakes();
    tell(['a', Changed]);
    const first = await begun();
    tell(['b', Changed]);
    first.fail(new Error('no disk'));
    (await begun()).end();
    await changed(1);
    assert.equal(batches.length, 2);
    assert.deepEqual(warnings, ['Changed files could not be read: no disk']);
  });
});

describe('changes without an event', () => {
  const lost = { uri: 'file:///work/lost', gone: true };

  it('are found after many events', async () => {
    const { tell, begun, changed, batches } = fakes([lost]);
    for (let index = 0; index < 1000; index++) tell([`${index}`, Changed]);
    (await begun()).end();
    (await begun()).end();
    await changed(2);
    assert.equal(batches[0]?.length, 1000);
    assert.deepEqual(batches[1], [lost]);
  });

  it('are found at intervals', async () => {
    const { tell, begun, changed, batches, pass } = fakes([lost]);
    tell(['a', Changed]);
    (await begun()).end();
    await changed(1);
    for (const number of [1, 2]) {
      pass();
      (await begun()).end();
      await changed(1);
      assert.deepEqual(batches[number], [lost]);
    }
  });
});

async function watched(files: Readonly<Record<string, string>>) {
  const folder = makeFolder(files);
  const client = await startServer({ folders: [folder.uri] });
  await client.whenReady();
  await client.until(() => client.ready.length === 1 && client.refreshes > 0);
  return { client, folder };
}

/** Notifies the server of changes, and waits until it has requested a refresh. */
async function told(client: Client, ...changes: readonly (readonly [string, FileChangeType])[]): Promise<void> {
  const refreshes = client.refreshes;
  await client.changedOutside(...changes);
  await client.until(() => client.refreshes > refreshes);
}

async function names(client: Client): Promise<readonly string[]> {
  const { groups } = await client.previewText('app');
  return [...new Set(groups.flatMap((group) => group.items.map((item) => item.name)))].sort();
}

interface Batch {
  end(): void;
  fail(error: Error): void;
}

/** A server whose reading of each batch ends on request. */
function fakes(missed: readonly Change[] = []) {
  type Handler = (params: { changes: { uri: string; type: FileChangeType }[] }) => void;
  let handle: Handler = () => {};
  const batches: (readonly Change[])[] = [];
  const warnings: string[] = [];
  const begun = queue<Batch>();
  const changed = queue<void>();
  const connection = {
    onDidChangeWatchedFiles(handler: Handler) {
      handle = handler;
    },
  } as unknown as Connection;
  const workspace = {
    respectsIgnoreFile: () => false,
    isConfigAround: () => false,
    missedChanges: () => Promise.resolve(missed),
    refresh(_: unknown, changes: readonly Change[]) {
      batches.push(changes);
      return new Promise<void>((end, fail) => begun.put({ end, fail }));
    },
  };
  const session = { workspace } as unknown as Session;
  const indexing = { started: true, start: () => Promise.resolve(), folders: ['file:///work'] } as unknown as Indexing;
  let pass = () => {};
  const clock: Clock = {
    today: () => '2026-06-15',
    after(_, action) {
      pass = action;
      return () => {};
    },
  };
  const log: Log = { info() {}, warn: (message) => warnings.push(message), bug: assert.fail };
  watchFiles({ connection, session, source: {} as FileSource, log, clock }, indexing, () => changed.put());
  return {
    batches,
    warnings,
    /** Waits until the next timer ends. */
    pass: () => pass(),
    begun: () => begun.take(),
    async changed(times: number) {
      for (let count = 0; count < times; count++) await changed.take();
    },
    tell: (...changes: (readonly [string, FileChangeType])[]) =>
      handle({ changes: changes.map(([name, type]) => ({ uri: `file:///work/${name}`, type })) }),
  };
}

/** A queue: items are received in the order in which they were added. */
function queue<T>() {
  const there: T[] = [];
  const waiting: ((value: T) => void)[] = [];
  return {
    put(value: T) {
      const next = waiting.shift();
      if (next === undefined) there.push(value);
      else next(value);
    },
    take(): Promise<T> {
      return there.length > 0 ? Promise.resolve(there.shift() as T) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
