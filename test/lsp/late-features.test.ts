/** Tests of features whose code is loaded when the first request for one of them arrives. */
import assert from 'node:assert/strict';
import type { Message, RequestMessage } from 'vscode-languageserver';
import type { ProvideFeatures, ServerParts } from '../../server/src/lsp/core.ts';
import { lateFeatures } from '../../server/src/lsp/late-features.ts';

const request = (method: string, params: object = {}): RequestMessage => ({ jsonrpc: '2.0', id: 1, method, params });
const edit: Message & { readonly method: string } = { jsonrpc: '2.0', method: 'textDocument/didChange' };
const hover = request('textDocument/hover');
const fixes = request('textDocument/codeAction', { context: { diagnostics: [], only: ['quickfix'] } });
const refactorings = request('textDocument/codeAction', { context: { diagnostics: [] } });

/** Sends messages to a server whose features load as `load` says; returns the order in which all happened. */
async function order(messages: readonly (Message & { readonly method: string })[], load: () => Promise<void>) {
  const happened: string[] = [];
  const provideFeatures: ProvideFeatures = () => void happened.push('features');
  const warnings: string[] = [];
  const { provide, messageStrategy } = lateFeatures(
    async () => {
      happened.push('load');
      await load();
      return provideFeatures;
    },
    { warn: (message) => void warnings.push(message) },
  );
  const parts = {} as ServerParts; // the features of this test need nothing
  provide(parts, {} as Parameters<ProvideFeatures>[1], {} as Parameters<ProvideFeatures>[2], {
    addActions: () => undefined,
    refresh: () => undefined,
  });
  for (const message of messages) messageStrategy.handleMessage(message, () => void happened.push(message.method));
  await new Promise(setImmediate);
  return { happened, warnings };
}

describe('late features', () => {
  const loads = () => Promise.resolve();

  it('are not loaded for findings, their fixes and edits', async () => {
    const { happened } = await order([request('initialize'), edit, fixes], loads);
    assert.deepEqual(happened, ['initialize', 'textDocument/didChange', 'textDocument/codeAction']);
  });

  it('are loaded once, and messages keep their order', async () => {
    const { happened } = await order([hover, edit, request('textDocument/completion'), refactorings], loads);
    assert.deepEqual(happened, [
      'load',
      'features',
      'textDocument/hover',
      'textDocument/didChange',
      'textDocument/completion',
      'textDocument/codeAction',
    ]);
  });

  it('are needed for code actions that are not quick fixes', async () => {
    const { happened } = await order([refactorings], loads);
    assert.deepEqual(happened, ['load', 'features', 'textDocument/codeAction']);
  });

  it('let messages continue if they cannot be loaded', async () => {
    const { happened, warnings } = await order([hover, edit], () => Promise.reject(new Error('no network')));
    assert.deepEqual(happened, ['load', 'textDocument/hover', 'textDocument/didChange']);
    assert.match(warnings.join(), /no network/);
  });
});
