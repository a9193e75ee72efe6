/** The code of the server that the first findings do not need. It is one module, so that the code which it shares with the rest is one file, too: large files are compressed better. */

export { provideFeatures } from '../server/src/lsp/features.ts';
export { review } from './review.ts';
