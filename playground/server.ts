/** The language server in the worker of the playground. Unlike the server of the editor in a browser, it also reviews changes. */

import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { currentDate } from '../server/src/clock.ts';
import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { clientFiles } from '../server/src/lsp/client-files.ts';
import { checkingMessages } from '../server/src/lsp/message-check.ts';
import { startServer } from '../server/src/lsp/server.ts';
import type { Tools } from '../server/src/lsp/tools.ts';
import type { Session } from '../server/src/session.ts';
import { decodeText } from '../server/src/text/encoding.ts';
import { version } from '../server/src/version.ts';
import type { ReadText } from '../server/src/workspace/live/load.ts';

declare const self: DedicatedWorkerGlobalScope;

const messageStrategy = checkingMessages((message) => connection.console.warn(message));
const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self), {
  messageStrategy,
});

startServer(connection, {
  version,
  clock: {
    today: currentDate,
    after(milliseconds, action) {
      const timer = self.setTimeout(action, milliseconds);
      return () => self.clearTimeout(timer);
    },
  },
  loadCatalogue: () => Promise.resolve(catalogue),
  files: () => clientFiles(connection, decodeBase64, () => new Promise((resolve) => setTimeout(resolve, 0))),
  tools: reviewTools,
});

/** Returns the review of the changes since the base; its code is loaded when a review is requested. */
function reviewTools(session: Session): Tools {
  const failed = { text: 'The review failed; the console has the reason.', isError: true };
  return {
    failed,
    call: () => Promise.resolve(failed),
    review: async (_, base) => (await import('./review.ts')).review(session, base),
  };
}

function decodeBase64(base64: string): ReadText {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return decodeText(bytes, (all, encoding) => new TextDecoder(encoding, { fatal: true }).decode(all));
  } catch {
    return { skipped: 'it could not be read' };
  }
}
