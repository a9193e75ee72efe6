/** The main of the server as a web worker: everything comes and goes through the client. */

import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { catalogue } from '../engine/catalogue/index.ts';
import { clientFiles } from '../lsp/client-files.ts';
import { startServer } from '../lsp/server.ts';
import { version } from '../version.ts';
import { clock } from './clock.ts';

declare const self: DedicatedWorkerGlobalScope;

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
const utf8 = new TextDecoder('utf-8', { fatal: true });

startServer(connection, {
  version,
  clock,
  loadCatalogue: () => Promise.resolve(catalogue),
  files: () => clientFiles(connection, decodeBase64, () => new Promise((resolve) => setTimeout(resolve, 0))),
});

function decodeBase64(base64: string): string | undefined {
  try {
    const text = utf8.decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
