/** The connection of the page to the language server in its worker. */

import type { Transport } from '@codemirror/lsp-client';
import { type ListResult, listRequest, type ReadResult, readRequest, statRequest } from '../server/src/protocol.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
}

/** The files of the page, from which the requests of the server are answered. */
export interface Files {
  uris(): readonly string[];
  textOf(uri: string): string | undefined;
}

/** The abilities of the page beyond those of the library, which are sent with `initialize`. */
const capabilities = {
  codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source.fixAll'] } } },
  rename: { prepareSupport: true },
  publishDiagnostics: { versionSupport: true },
};

/** Starts the server, and answers its requests for files. */
export function connectTo(worker: Worker, files: Files): Transport {
  const handlers = new Set<(message: string) => void>();
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.id === undefined || data.method === undefined) {
      const text = JSON.stringify(data);
      for (const handle of handlers) handle(text);
      return;
    }
    const result = answerTo(data.method, data.params, files);
    worker.postMessage(
      result === undefined
        ? { jsonrpc: '2.0', id: data.id, error: { code: -32601, message: 'Not supported.' } }
        : { jsonrpc: '2.0', id: data.id, result },
    );
  });
  return {
    send(text) {
      const message = JSON.parse(text);
      if (message.method === 'initialize') {
        const { textDocument } = message.params.capabilities;
        Object.assign(textDocument, capabilities);
        // The server sends diagnostics; the library does not request them.
        delete textDocument.diagnostic;
      }
      worker.postMessage(message);
    },
    subscribe: (handle) => handlers.add(handle),
    unsubscribe: (handle) => handlers.delete(handle),
  };
}

function answerTo(method: string, params: unknown, files: Files): unknown {
  switch (method) {
    case listRequest:
      return listed(files);
    case readRequest:
      return urisIn(params).map((uri): ReadResult[number] => {
        const text = files.textOf(uri);
        return text === undefined ? { failed: 'notFound' } : { base64: base64Of(text) };
      });
    case statRequest:
      return urisIn(params).map((uri) => {
        const text = files.textOf(uri);
        return text === undefined ? null : { size: text.length, modified: 0 };
      });
    case 'workspace/codeLens/refresh':
    case 'client/registerCapability':
      return null;
    default:
      return undefined;
  }
}

function listed(files: Files): ListResult {
  return { files: files.uris(), more: false };
}

function urisIn(params: unknown): readonly string[] {
  const uris = typeof params === 'object' && params !== null && 'uris' in params ? params.uris : undefined;
  return (Array.isArray(uris) ? uris : []).filter((uri) => typeof uri === 'string');
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
