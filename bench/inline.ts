/** Measures a large text without selectors: `npm run bench:inline`; the target is 50 ms for 5 MB. */

import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { inlineObjects } from '../server/src/manifests/inline/inline.ts';
import { logLikeText } from './log-like-text.ts';

const rounds = 9;

for (const host of ['text', 'shell', 'markdown'] as const) {
  const text = logLikeText(5_000_000);
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    found = inlineObjects(text, host, catalogue).length;
    times.push(performance.now() - start);
  }
  const median = times.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
  console.log(`5 MB of log as ${host}: ${median.toFixed(1)} ms, ${found} found (target: 50 ms, 0 found)`);
}
