/** The parts of the language server that are the same in every web worker, where the client reads all files for the server. */

import {
  BrowserMessageReader,
  BrowserMessageWriter,
  type Connection,
  createConnection,
  type MessageStrategy,
} from 'vscode-languageserver/browser';
import { currentDate } from '../clock.ts';
import { clientFiles } from '../lsp/client-files.ts';
import type { Environment } from '../lsp/core.ts';
import { checkingMessages } from '../lsp/message-check.ts';
import { decodeText } from '../text/encoding.ts';
import { version } from '../version.ts';
import type { ReadText } from '../workspace/live/load.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Returns the connection with the client of this worker; `strategy` receives the valid messages. */
export function workerConnection(strategy?: MessageStrategy): Connection {
  const checking = checkingMessages((message) => connection.console.warn(message));
  const messageStrategy: MessageStrategy = {
    handleMessage: (message, next) =>
      checking.handleMessage(message, strategy === undefined ? next : (valid) => strategy.handleMessage(valid, next)),
  };
  const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self), {
    messageStrategy,
  });
  // Neither the client nor the library terminates the worker after the server has stopped.
  connection.onExit(() => self.close());
  return connection;
}

/** The environment of a server in a worker, without its catalogue. */
export const workerEnvironment: Omit<Environment, 'loadCatalogue'> = {
  version,
  clock: {
    today: currentDate,
    after(milliseconds, action) {
      const timer = self.setTimeout(action, milliseconds);
      return () => self.clearTimeout(timer);
    },
  },
  files: (connection) => clientFiles(connection, decodeBase64, () => new Promise((resolve) => setTimeout(resolve, 0))),
};

function decodeBase64(base64: string): ReadText {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return decodeText(bytes, (all, encoding) => new TextDecoder(encoding, { fatal: true }).decode(all));
  } catch {
    return { skipped: 'it could not be read' };
  }
}
