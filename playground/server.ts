/** The language server in the worker of the playground. Unlike the server of the editor in a browser, it also reviews changes. */

import { startWorkerServer } from '../server/src/browser/worker-server.ts';
import { catalogue } from '../server/src/engine/catalogue/index.ts';
import type { Tools } from '../server/src/lsp/tools.ts';
import type { Session } from '../server/src/session.ts';

startWorkerServer({ loadCatalogue: () => Promise.resolve(catalogue), tools: reviewTools });

/** Returns the review of the changes since the base; its code is loaded when a review is requested. */
function reviewTools(session: Session): Tools {
  const failed = { text: 'The review failed; the console has the reason.', isError: true };
  return {
    failed,
    call: () => Promise.resolve(failed),
    review: async (_, base) => (await import('./review.ts')).review(session, base),
  };
}
