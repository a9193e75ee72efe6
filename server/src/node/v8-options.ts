/** Sets options of V8 while a command runs: functions are optimized later unless the command runs long, and garbage is collected earlier. */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

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

/** The processor time in microseconds after which functions are optimized as usual: the main thread of a longer command takes less work then, and the other threads take more. */
const longRun = 6_000_000;

/** Runs a command with the options. Optimizing functions takes a third of the work of a short command, mostly in other threads; only servers and long commands benefit from it. */
export async function withV8Options(words: readonly string[], run: () => Promise<number>): Promise<number> {
  const isServer = words[0] === 'lsp' || words[0] === 'mcp';
  const options = isServer ? undefined : optionsOfV8.find(({ v8 }) => process.versions.v8.startsWith(v8));
  if (options === undefined) return await run();
  setFlagsFromString(options.later);
  const bounding = boundHeap(() => setFlagsFromString(options.usual));
  const code = await run();
  clearInterval(bounding);
  // V8 rejects compiled code in the cache if it was written with other options.
  setFlagsFromString(`${options.usual} --heap-growing-percent=0 --semi-space-growth-factor=2`);
  return code;
}

/** The size in bytes from which the young generation is not enlarged; V8 would enlarge it to 128 MB. */
const maximumYoung = 32_000_000;

/** Lets the heap grow to twice the size that was in use after a garbage collection; V8 would let it grow to four times this size. Returns the timer that limits the young generation, and that ends the options of short commands in a long one. */
function boundHeap(optimizeAsUsual: () => void): NodeJS.Timeout {
  setFlagsFromString('--heap-growing-percent=100');
  const bound = () => {
    setFlagsFromString(`--semi-space-growth-factor=${youngSpace() < maximumYoung ? 2 : 1}`);
    // Setting the options again has no effect.
    if (workSoFar() > longRun) optimizeAsUsual();
  };
  return setInterval(bound, 100).unref();
}

function workSoFar(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find((each) => each.space_name === 'new_space')?.space_size ?? 0;
}
