/** Starts the language server in a web worker, where the client reads all files for the server. */

import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { currentDate } from '../clock.ts';
import { clientFiles } from '../lsp/client-files.ts';
import { checkingMessages } from '../lsp/message-check.ts';
import { type Environment, startServer } from '../lsp/server.ts';
import { decodeText } from '../text/encoding.ts';
import { version } from '../version.ts';
import type { ReadText } from '../workspace/live/load.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Starts the server of this worker; `parts` are what differs between the editor and the playground. */
export function startWorkerServer(parts: Pick<Environment, 'loadCatalogue' | 'tools'>): void {
  const messageStrategy = checkingMessages((message) => connection.console.warn(message));
  const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self), {
    messageStrategy,
  });
  // Neither the client nor the library terminates the worker after the server has stopped.
  connection.onExit(() => self.close());
  startServer(connection, {
    version,
    clock: {
      today: currentDate,
      after(milliseconds, action) {
        const timer = self.setTimeout(action, milliseconds);
        return () => self.clearTimeout(timer);
      },
    },
    files: () => clientFiles(connection, decodeBase64, () => new Promise((resolve) => setTimeout(resolve, 0))),
    ...parts,
  });
}

function decodeBase64(base64: string): ReadText {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return decodeText(bytes, (all, encoding) => new TextDecoder(encoding, { fatal: true }).decode(all));
  } catch {
    return { skipped: 'it could not be read' };
  }
}
