/**
 * Tests malformed messages: each is answered with an error, or dropped, and the server continues; a broken header ends
 * it.
 */

import assert from 'node:assert/strict';
import { service } from './manifests.ts';
import { placeOf } from './places.ts';
import { RawClient } from './raw-client.ts';

const web = service('web');
const uri = 'file:///shop/service.yaml';
const textDocument = { uri };
const position = placeOf(web, 'app: web');

let client: RawClient;

async function start(): Promise<void> {
  client = new RawClient();
  await client.initialize();
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: web } });
}

/** Checks that a usual request is still answered, and that the server reported nothing to the user. */
async function isWell(): Promise<void> {
  const { result } = await client.request('textDocument/hover', { textDocument, position });
  assert.match(JSON.stringify(result), /Selects Pods/);
  assert.deepEqual(client.errors, []);
  assert.equal(client.complaints, '');
}

/** Requests with malformed parameters, and the beginning of the error message. */
const refused: readonly (readonly [method: string, params: unknown, what: RegExp])[] = [
  ['textDocument/hover', null, /must be an object/],
  ['textDocument/hover', [textDocument, position], /must be an object/],
  ['textDocument/hover', {}, /'textDocument' is missing/],
  ['textDocument/hover', { textDocument: null, position }, /'textDocument' is missing/],
  ['textDocument/hover', { textDocument: { uri: 7 }, position }, /'textDocument.uri' is missing/],
  ['textDocument/hover', { textDocument, position: { line: -1, character: 0 } }, /'position.line'/],
  ['textDocument/hover', { textDocument, position: { line: 0, character: 1.5 } }, /'position.character'/],
  ['textDocument/hover', { textDocument, position: { line: null, character: 0 } }, /'position.line'/],
  ['textDocument/hover', { textDocument, position: { __proto__: { line: 1 }, character: 0 } }, /'position.line'/],
  ['textDocument/rename', { textDocument, position }, /'newName'/],
  ['textDocument/codeAction', { textDocument, range: { start: position } }, /'range.end'/],
  [
    'textDocument/codeAction',
    { textDocument, range: { start: position, end: position }, context: { diagnostics: [5] } },
    /'context.diagnostics.0'/,
  ],
  ['callHierarchy/incomingCalls', {}, /'item'/],
  ['codeLens/resolve', {}, /'range'/],
  ['completionItem/resolve', 'item', /must be an object/],
  ['workspace/symbol', { query: 5 }, /'query'/],
  ['workspace/executeCommand', { command: null }, /'command'/],
  ['workspace/diagnostic', { previousResultIds: [{ uri }] }, /'previousResultIds.0.value'/],
  ['selector-lens/perspective', { textDocument: null }, /'textDocument'/],
  ['selector-lens/perspective', null, /must be an object/],
];

/** Notifications that are dropped. */
const dropped: readonly (readonly [method: string, params: unknown])[] = [
  ['workspace/didChangeWatchedFiles', { changes: [{ uri: 5, type: 1 }] }],
  ['workspace/didChangeWatchedFiles', null],
  ['workspace/didChangeConfiguration', null],
  ['workspace/didChangeWorkspaceFolders', { event: { added: [{ uri: null }], removed: [] } }],
  ['textDocument/didOpen', { textDocument: { uri: 'file:///x.yaml', languageId: 'yaml', version: 1 } }],
  ['textDocument/didChange', { textDocument, contentChanges: [{ text: '' }] }],
  ['textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ range: {}, text: 'x' }] }],
  ['textDocument/didClose', {}],
  ['textDocument/didSave', []],
  ['$/setTrace', null],
  ['$/progress', null],
  ['$/cancelRequest', null],
  ['window/workDoneProgress/cancel', null],
];

/** Bodies that are not messages. */
const bodies = [
  '',
  '{',
  'null',
  '[]',
  '5',
  '"text"',
  '{}',
  '{"id": 1}',
  '[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]',
  '\u0000',
];

/** Headers after which the start of the next message is unknown. */
const broken: readonly (readonly [header: string, complaint: RegExp])[] = [
  ['Foo: bar\r\n\r\n{}', /no valid Content-Length/],
  ['Content-Length: many\r\n\r\n{}', /no valid Content-Length/],
  ['Content-Length: -1\r\n\r\n{}', /no valid Content-Length/],
  ['Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}', /no valid Content-Length/],
  ['Content-Length: 99999999999\r\n\r\n{}', /more than 256000000 bytes/],
  [`Content-Length: 2\r\nX: ${'x'.repeat(100_000)}`, /does not end/],
];

describe('malformed messages', () => {
  describe('with a valid header', () => {
    before(start);
    after(() => client.stop());

    for (const [method, params, what] of refused) {
      it(`are rejected: ${method} with ${JSON.stringify(params)}`, async () => {
        const { error } = await client.request(method, params);
        assert.equal(error?.code, -32602);
        assert.match(error.message, what);
        assert.ok(error.message.startsWith(`The parameters of '${method}' are malformed: `));
        await isWell();
      });
    }

    for (const [method, params] of dropped) {
      it(`are dropped: ${method} with ${JSON.stringify(params)}`, async () => {
        client.notify(method, params);
        await isWell();
      });
    }

    for (const body of bodies) {
      it(`are dropped: ${JSON.stringify(body)}`, async () => {
        client.body(body);
        await isWell();
      });
    }

    it('are answered if they have an id', async () => {
      client.send({ jsonrpc: '2.0', id: 'odd', method: 5 });
      await isWell();
      const answer = client.received.find(({ id }) => id === 'odd');
      assert.equal(answer?.error?.code, -32600);
    });

    it('are rejected without the version of JSON-RPC', async () => {
      const params = { textDocument, position };
      client.send({ id: 'no version', method: 'textDocument/hover', params });
      client.send({ jsonrpc: '1.0', id: 'old version', method: 'textDocument/hover', params });
      client.send({ method: 'textDocument/didClose', params });
      await isWell();
      for (const wanted of ['no version', 'old version'])
        assert.equal(client.received.find(({ id }) => id === wanted)?.error?.code, -32600);
    });

    it('may be deeply nested', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      client.body(deep);
      client.body(`{"jsonrpc":"2.0","id":"deep","method":"textDocument/hover","params":${deep}}`);
      await isWell();
      assert.equal(client.received.find(({ id }) => id === 'deep')?.error?.code, -32602);
    });
  });

  describe('at the beginning', () => {
    afterEach(() => client.stop());

    it('do not prevent initialization', async () => {
      client = new RawClient();
      for (const params of [null, {}, { capabilities: [] }, { capabilities: {}, workspaceFolders: [{ name: 'x' }] }])
        assert.equal((await client.request('initialize', params)).error?.code, -32602);
      await client.initialize({ textDocument: { codeAction: { dataSupport: true, resolveSupport: 7 } }, workspace: 5 });
      const again = await client.request('initialize', { processId: 999_999_999, capabilities: {} });
      assert.equal(again.error?.code, -32600);
      client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: web } });
      const { result } = await client.request('textDocument/hover', { textDocument, position });
      assert.match(JSON.stringify(result), /Selects Pods/);
    });
  });

  describe('out of order', () => {
    const opened = { textDocument: { uri, languageId: 'yaml', version: 1, text: web } };
    beforeEach(() => {
      client = new RawClient();
    });
    afterEach(() => client.stop());

    it('are rejected before initialize', async () => {
      client.notify('textDocument/didOpen', opened);
      for (const method of ['textDocument/hover', 'textDocument/documentSymbol', 'shutdown', 'unknown', '$/unknown'])
        assert.equal((await client.request(method, { textDocument, position })).error?.code, -32002);
      await client.initialize();
      assert.equal((await client.request('textDocument/hover', { textDocument, position })).result, null);
      client.notify('textDocument/didOpen', opened);
      await isWell();
    });

    it('are rejected after shutdown', async () => {
      await client.initialize();
      assert.equal((await client.request('shutdown', undefined)).result, null);
      client.notify('textDocument/didOpen', opened);
      for (const method of ['textDocument/hover', 'initialize', 'shutdown', 'unknown'])
        assert.equal((await client.request(method, { textDocument, position, capabilities: {} })).error?.code, -32600);
      client.notify('exit', undefined);
      assert.equal(await client.exited, 0);
      assert.equal(client.complaints, '');
    });

    it('include exit before initialize', async () => {
      client.notify('exit', undefined);
      assert.equal(await client.exited, 1);
    });
  });

  describe('with a broken header', () => {
    for (const [header, complaint] of broken) {
      it(`end the server with a clear sentence: ${JSON.stringify(header.slice(0, 40))}`, async () => {
        await start();
        await isWell();
        client.bytes(header);
        assert.equal(await client.exited, 1);
        assert.match(client.complaints, complaint);
        assert.equal(client.complaints.split('\n').length, 2);
      });
    }
  });
});
