/** The language server in the worker of the playground. Unlike the server of the editor in a browser, it also reviews changes, and loads the code that the first findings do not need later. */

import { workerConnection, workerEnvironment } from '../server/src/browser/worker-server.ts';
import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { startCore } from '../server/src/lsp/core.ts';
import { lateFeatures } from '../server/src/lsp/late-features.ts';
import type { Tools } from '../server/src/lsp/tools.ts';
import type { Session } from '../server/src/session.ts';

const { provide, messageStrategy } = lateFeatures(async () => (await import('./late.ts')).provideFeatures, console);

startCore(
  workerConnection(messageStrategy),
  { ...workerEnvironment, loadCatalogue: () => Promise.resolve(catalogue), tools: reviewTools },
  provide,
);

/** Returns the review of the changes since the base; its code is loaded when a review is requested. */
function reviewTools(session: Session): Tools {
  const failed = { text: 'The review failed; the console has the reason.', isError: true };
  return {
    failed,
    call: () => Promise.resolve(failed),
    review: async (_, base) => (await import('./late.ts')).review(session, base),
  };
}
