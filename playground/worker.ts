/** The worker of the playground: evaluates one request at a time, so that the page stays responsive. */

import { evaluate } from './evaluate.ts';
import type { PlaygroundRequest } from './model.ts';

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener('message', ({ data }: MessageEvent<PlaygroundRequest>) => {
  evaluate(data).then(
    (result) => self.postMessage(result),
    (error: unknown) => {
      const problems = [`This should not happen, please report it. ${error}`];
      self.postMessage({ id: data.id, objects: 0, findings: [], groups: [], description: '', problems });
    },
  );
});
