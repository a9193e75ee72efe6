/** Tests that the extension reads regular files only: links may lead out of the workspace. */
import assert from 'node:assert/strict';
import { readRequest } from '../../server/src/protocol.ts';
import { FileType, files, read } from './vscode.ts';

const { answerFileRequests } = await import('../../client/src/files.ts');
const { activateOnManifest } = await import('../../client/src/activation.ts');

const text = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
const linked = { type: FileType.File | FileType.SymbolicLink, text };

describe('a link in a folder of the workspace', () => {
  beforeEach(() => {
    files.clear();
    read.length = 0;
  });

  it('is not read for a server without a disk', async () => {
    files.set('/shop/file.yaml', { type: FileType.File, text });
    files.set('/shop/link.yaml', linked);
    files.set('/shop/broken.yaml', { type: FileType.SymbolicLink, text });
    const handlers = new Map<string, (params: unknown) => Promise<unknown>>();
    const client = {
      onRequest: (name: string, handler: (params: unknown) => Promise<unknown>) => handlers.set(name, handler),
    };
    // The module only registers handlers of requests with the client.
    answerFileRequests(client as unknown as Parameters<typeof answerFileRequests>[0]);
    const uris = ['file', 'link', 'broken', 'missing'].map((name) => `file:///shop/${name}.yaml`);
    assert.deepEqual(await handlers.get(readRequest)?.({ uris, maximumBytes: 1000 }), [
      { base64: Buffer.from(text).toString('base64') },
      { failed: 'unreadable' },
      { failed: 'unreadable' },
      { failed: 'notFound' },
    ]);
    assert.deepEqual(read, ['/shop/file.yaml']);
  });

  it('does not start the extension, and a regular manifest does', async () => {
    let starts = 0;
    const activate = () => {
      const load = async () => {
        starts++;
        return { start: () => new Promise<never>(() => {}) };
      };
      // Only the list of subscriptions is used.
      const context = { subscriptions: [] } as unknown as Parameters<typeof activateOnManifest>[0];
      return activateOnManifest(context, load).scanned;
    };
    files.set('/shop/link.yaml', linked);
    assert.equal(await activate(), false);
    assert.deepEqual([starts, read], [0, []]);
    files.set('/shop/file.yaml', { type: FileType.File, text });
    assert.equal(await activate(), true);
    assert.deepEqual([starts, read], [1, ['/shop/file.yaml']]);
  });
});
