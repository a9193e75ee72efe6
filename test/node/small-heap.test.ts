/** Tests that the young generation keeps its limit, and grows again after V8 has shrunk it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const smallHeap = new URL('../../server/src/node/small-heap.ts', import.meta.url).href;

/**
 * The size of the young generation after some collections, after V8 has shrunk it, and after as many collections again.
 * Collections are triggered explicitly, since the time of automatic ones depends on the load of the machine. Runs in a
 * separate process: V8 options apply to the whole process.
 */
function youngSpaces(young: number): readonly number[] {
  const code = `
    import { PerformanceObserver } from 'node:perf_hooks';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepHeapSmall } from ${JSON.stringify(smallHeap)};
    keepHeapSmall(10, ${young});
    const space = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space').space_size;
    let isNoticed;
    new PerformanceObserver(() => { isNoticed = true; }).observe({ entryTypes: ['gc'] });
    const kept = [];
    async function work() {
      for (let round = 0; round < 60; round++) {
        kept[round % 10] = Array.from({ length: 5000 }, (_, number) => ({ number }));
        isNoticed = false;
        gc({ type: 'minor' });
        while (!isNoticed) await new Promise((resolve) => setImmediate(resolve));
      }
      return space();
    }
    const before = await work();
    gc({ type: 'major', flavor: 'last-resort' });
    console.log(JSON.stringify([before, space(), await work()]));`;
  const words = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('the young generation', () => {
  // V8 lets it grow to 32 MB by default.
  it('grows up to its limit, and again after a pause', () => {
    const [before = 0, rested = 0, after = 0] = youngSpaces(4e6);
    assert.ok(before > 4e6 && before < 9e6, `${before} bytes`);
    assert.ok(rested < 2e6, `${rested} bytes at rest`);
    assert.ok(after > 4e6 && after < 9e6, `${after} bytes after that`);
  });
});
