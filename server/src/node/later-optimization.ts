/** Makes V8 optimize functions later while a command runs. */

import { setFlagsFromString } from 'node:v8';

/** The options, which are not documented, and their default values, by the beginning of the version of V8. Other versions may not know them. */
const optionsOfV8 = [
  // Node.js 20
  { v8: '11.3.244.', later: '--interrupt-budget=300000', usual: '--interrupt-budget=67584' },
  // Node.js 24
  {
    v8: '13.6.233.',
    later:
      '--invocation-count-for-maglev=4000 --invocation-count-for-maglev-osr=1000 --invocation-count-for-turbofan=30000',
    usual:
      '--invocation-count-for-maglev=400 --invocation-count-for-maglev-osr=100 --invocation-count-for-turbofan=3000',
  },
] as const;

/** Runs a command. Optimizing functions takes a third of the work of a command, mostly in other threads; only servers run long enough to benefit from it. */
export async function optimizingLater(words: readonly string[], run: () => Promise<number>): Promise<number> {
  const isServer = words[0] === 'lsp' || words[0] === 'mcp';
  const options = isServer ? undefined : optionsOfV8.find(({ v8 }) => process.versions.v8.startsWith(v8));
  if (options === undefined) return await run();
  setFlagsFromString(options.later);
  const code = await run();
  // V8 rejects compiled code in the cache if it was written with other options.
  setFlagsFromString(options.usual);
  return code;
}
