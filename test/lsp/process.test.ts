/** Tests the process of the server: standard output only for the protocol, cancelled requests, and the exit code. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  HoverRequest,
  InitializeRequest,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver/node';
import { ableEditor } from './client.ts';
import { deployment, service } from './manifests.ts';
import { placeOf } from './places.ts';
import { connectServer, makeFolder, startServer, stopEverything } from './start.ts';

const web = service('web');
const uri = 'file:///shop/service.yaml';

describe('the process of the server', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'selector-lens-noise-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(stopEverything);

  it('sends printed text to the log, and only messages to standard output', async () => {
    const noisy = join(folder, 'noisy.cjs');
    // A library that prints at every opportunity after the server was loaded.
    writeFileSync(
      noisy,
      `setImmediate(function noise(times = 0) {
        console.log('noise', 'of log', { times });
        console.info('noise of info');
        console.warn('noise of warn');
        console.debug('noise of debug');
        if (times < 20) setImmediate(noise, times + 1);
      });`,
    );
    const client = connectServer({ nodeOptions: ['--require', noisy] });
    await client.initialize();
    await client.open(uri, web);
    await client.hover(uri, web, 'selector');
    assert.deepEqual(client.errors, []);
    await client.until(() => client.log.some((line) => line.includes('noise of log { times: 20 }')));
  });

  it('does not start cancelled requests', async () => {
    const client = await startServer();
    const big = Array.from({ length: 1500 }, (_, index) => deployment(`web-${index}`)).join('---\n');
    await client.open(uri, `${big}---\n${web}`);
    const source = new CancellationTokenSource();
    const params = { textDocument: { uri }, position: placeOf(big, 'matchLabels') };
    const asked = client.connection.sendRequest(HoverRequest.type, params, source.token);
    source.cancel();
    await assert.rejects(asked, (error) => error instanceof ResponseError && isCancelled(error.code));
    assert.ok((await client.hoverAt(uri, params.position)) !== null);
  });

  it('rejects requests before it is initialized', async () => {
    const client = connectServer();
    client.connection.listen();
    await assert.rejects(client.hoverAt(uri, { line: 0, character: 0 }), ResponseError);
    await client.connection.sendRequest(InitializeRequest.type, {
      processId: null,
      rootUri: null,
      capabilities: ableEditor,
    });
  });

  it('returns nothing for a document that is not open', async () => {
    const client = await startServer();
    assert.equal(await client.hoverAt(uri, { line: 0, character: 0 }), null);
    assert.deepEqual(await client.completions(uri, { line: 0, character: 0 }), []);
    assert.deepEqual(await client.pull(uri), []);
  });

  it('accepts positions outside of the text', async () => {
    const client = await startServer();
    await client.open(uri, web);
    for (const position of [
      { line: 999, character: 0 },
      { line: 0, character: 999 },
      { line: 2 ** 31 - 1, character: 2 ** 31 - 1 },
    ]) {
      assert.equal(await client.hoverAt(uri, position), null);
      await client.completions(uri, position);
      const preview = await client.preview(uri, position);
      assert.equal(preview?.about, position.line === 0 ? 'object' : undefined);
    }
  });

  it('rejects a preview with invalid parameters, and continues', async () => {
    const client = await startServer();
    await client.open(uri, web);
    for (const params of [undefined, {}, { selector: 7 }, { textDocument: null, position: null }, []]) {
      await assert.rejects(client.connection.sendRequest('selector-lens/preview', params), (error) => {
        return error instanceof ResponseError && error.code === -32602;
      });
    }
    assert.ok((await client.preview(uri, placeOf(web, 'selector'))) !== null);
  });

  it('ends with its editor while it reads', async () => {
    const files = Array.from({ length: 400 }, (_, index) => [`web-${index}.yaml`, deployment(`web-${index}`)]);
    const client = await startServer({ folders: [makeFolder(Object.fromEntries(files)).uri] });
    await client.open(uri, web);
    await client.until(() => client.progress.includes('begin'));
    await client.stop();
  });
});

/** Whether the request was cancelled in the queue or by the server. */
function isCancelled(code: number): boolean {
  return code === LSPErrorCodes.RequestCancelled || code === LSPErrorCodes.ServerCancelled;
}
