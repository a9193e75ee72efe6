/** Tests syntax errors in an editor: reported unless another extension does, and always sent for the status. */
import assert from 'node:assert/strict';
import type { Range } from 'vscode-languageserver/node';
import { otherDiagnosticsNotification, syntaxErrorNotification } from '../../server/src/protocol.ts';
import type { Client } from './client.ts';
import { configMap } from './manifests.ts';
import { rangeOf } from './places.ts';
import { startServer, stopEverything } from './start.ts';

const uri = 'file:///shop/prices.yaml';
const good = configMap('owner: blue');
const bad = configMap('owner: "blue');
/** The diagnostic of another parser for the quote: at the end of the file. */
const byOthers = [{ range: endOf(bad), severity: 1, source: 'YAML' }];

function endOf(text: string): Range {
  const end = { line: text.split('\n').length - 1, character: 0 };
  return { start: end, end };
}

async function report(client: Client, diagnostics: readonly object[]): Promise<void> {
  await client.connection.sendNotification(otherDiagnosticsNotification, { textDocument: { uri }, diagnostics });
}

async function codes(client: Client): Promise<readonly unknown[]> {
  return (await client.pull(uri)).map(({ code }) => code);
}

describe('syntax errors', () => {
  afterEach(stopEverything);

  it('are reported at the position where the parser stops, and no longer after a fix', async () => {
    const client = await startServer();
    await client.open(uri, bad);
    const [found, ...more] = await client.pull(uri);
    assert.deepEqual([found?.code, found?.severity, more], ['syntax-error', 1, []]);
    assert.deepEqual(found?.range, rangeOf(bad, '"blue'));
    await client.change(uri, { text: good });
    assert.deepEqual(await codes(client), []);
  });

  it('are hidden as long as another extension reports them', async () => {
    const client = await startServer();
    await client.open(uri, bad);
    assert.deepEqual(await codes(client), ['syntax-error']);
    await report(client, byOthers);
    assert.deepEqual(await codes(client), []);
    await report(client, []);
    assert.deepEqual(await codes(client), ['syntax-error']);
  });

  it('are reported in addition to another extension if the user enables that', async () => {
    const client = await startServer();
    await client.open(uri, bad);
    await codes(client);
    await client.whenReady();
    const before = client.refreshes;
    await report(client, byOthers);
    await client.until(() => client.refreshes > before);
    assert.deepEqual(await codes(client), []);
    const { refreshes } = client;
    await client.changeSettings({ coexist: 'off' });
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await codes(client), ['syntax-error']);
  });

  it('are sent to the status once, also if another extension reports them, and when they are fixed', async () => {
    const client = await startServer({ initializationOptions: { syntaxErrors: true } });
    const told: unknown[] = [];
    client.connection.onNotification(syntaxErrorNotification, (each) => {
      told.push(each);
    });
    await client.open(uri, bad);
    await report(client, byOthers);
    await codes(client);
    await codes(client);
    const { start } = rangeOf(bad, '"blue');
    assert.deepEqual(told, [{ uri, position: start }]);
    await client.change(uri, { text: good });
    await codes(client);
    assert.deepEqual(told.slice(1), [{ uri }]);
    await client.change(uri, { text: bad });
    await codes(client);
    await client.close(uri);
    await codes(client);
    assert.deepEqual(told.slice(2), [{ uri, position: start }, { uri }]);
  });
});
