/**
 * Tests that rules across files wait until the user stops typing, that each diagnostic is then requested once, with a
 * manual clock, and that a long check lets other requests pass.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createConnection, HoverRequest, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import type { Clock } from '../../server/src/clock.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { startServer } from '../../server/src/lsp/server.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { ableEditor, Client, plainEditor } from './client.ts';
import { configMap } from './manifests.ts';
import { rangeOf } from './places.ts';

/** A clock that advances only on request. */
class TurnedClock implements Clock {
  readonly #waiting = new Set<() => void>();
  readonly delays: number[] = [];

  today() {
    return '2026-06-15';
  }

  after(milliseconds: number, action: () => void) {
    // Files are compared with the disk later.
    if (milliseconds > 1000) return () => {};
    this.delays.push(milliseconds);
    this.#waiting.add(action);
    return () => void this.#waiting.delete(action);
  }

  /** Runs everything that waits. */
  turn(): number {
    const actions = [...this.#waiting];
    this.#waiting.clear();
    for (const action of actions) action();
    return actions.length;
  }
}

const uri = 'file:///shop/prices.yaml';
const twice = `${configMap('team: blue')}---\n${configMap('team: red')}`;

/** Files with which all long work lets other work run after each step. */
class Patient extends MemoryFiles {
  override pause() {
    return new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
  }
}

async function start(capabilities = ableEditor, files = new MemoryFiles([[uri, twice]])) {
  const clock = new TurnedClock();
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  startServer(createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)), {
    version: 'test',
    clock,
    loadCatalogue: () => Promise.resolve(catalogue),
    files: () => files,
  });
  const client = new Client(new StreamMessageReader(toClient), new StreamMessageWriter(toServer), {
    capabilities,
    folders: ['file:///shop'],
  });
  await client.initialize();
  return { client, clock };
}

/** Closes the connection without `exit`, after which the library would end the process of the test. */
function leave(client: Client): void {
  assert.deepEqual(client.errors, []);
  client.connection.dispose();
}

describe('rules across files', () => {
  it('wait for a second without a change; their findings move with the text until then', async () => {
    const { client, clock } = await start();
    await client.open(uri, twice);
    await client.whenReady();
    const [found] = await client.pull(uri);
    assert.equal(found?.code, 'name-collision');
    assert.deepEqual(clock.delays, []);

    await client.change(uri, { range: rangeOf(twice, 'apiVersion'), text: '# ours\napiVersion' });
    const [moved, ...others] = await client.pull(uri);
    assert.deepEqual(others, []);
    assert.equal(moved?.range.start.line, (found?.range.start.line ?? 0) + 1);
    assert.deepEqual(clock.delays, [1000]);

    const text = `# ours\n${twice}`;
    const last = text.lastIndexOf('name: prices');
    const renamed = `${text.slice(0, last)}name: rates${text.slice(last + 'name: prices'.length)}`;
    await client.change(uri, { text: renamed });
    assert.deepEqual(await client.pull(uri), []);
    await client.change(uri, { text });
    const refreshes = client.refreshes;
    assert.equal(clock.turn(), 1);
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(
      (await client.pull(uri)).map(({ code }) => code),
      ['name-collision'],
    );
    assert.equal(client.refreshes, refreshes + 1);
    leave(client);
  });

  it('are pushed after the others to an editor that cannot pull', async () => {
    const { client, clock } = await start(plainEditor);
    await client.open(uri, configMap('team: blue'));
    await client.whenReady();
    await client.change(uri, { text: twice });
    await client.until(() => client.published.some(({ version }) => version === 2));
    assert.deepEqual(client.published.at(-1)?.diagnostics, []);
    clock.turn();
    await client.until(() => client.published.at(-1)?.diagnostics.length === 1);
    assert.equal(client.published.at(-1)?.diagnostics[0]?.code, 'name-collision');
    leave(client);
  });
});

describe('a check of an open file', () => {
  it('lets the server answer other requests, and ends with the findings of the last text', async () => {
    const { client } = await start(ableEditor, new Patient([[uri, twice]]));
    await client.open(uri, configMap('team: "a b"'));
    await client.whenReady();
    const answers: string[] = [];
    const note = (name: string) => () => void answers.push(name);
    const pulled = client.pull(uri);
    const requests = [
      pulled.then(note('diagnostics')),
      client.connection
        .sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 0, character: 1 } })
        .then(note('hover')),
      client.change(uri, { text: twice.replace('blue', '"a b"').replace('red', '"c d"') }),
    ];
    await Promise.all(requests);
    assert.deepEqual(answers, ['hover', 'diagnostics']);
    assert.equal((await pulled).filter(({ code }) => code === 'label-value-syntax').length, 2);
    leave(client);
  });

  it('is pushed once for the last text', async () => {
    const { client } = await start(plainEditor, new Patient([[uri, twice]]));
    await client.open(uri, configMap('team: blue'));
    await client.whenReady();
    const { length } = client.published;
    await client.change(uri, { text: configMap('team: green') });
    await client.change(uri, { text: configMap('team: "c d"') });
    await client.until(() => client.published.some(({ version }) => version === 3));
    assert.deepEqual(
      client.published.slice(length).map(({ version }) => version),
      [3],
    );
    assert.equal(client.published.at(-1)?.diagnostics.length, 1);
    leave(client);
  });
});
