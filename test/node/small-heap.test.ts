/** Does the space for what is new stay as small as it was told, and come back after it was given up? */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const smallHeap = new URL('../../server/src/node/small-heap.ts', import.meta.url).href;

/**
 * How large the space gets during some work, is after V8 took it back, and gets during such work again. In a process of
 * its own: what is said to V8 counts for all of it. V8 shrinks the space too where little is allocated in a while, which
 * on a busy machine is a matter of luck: the work goes on until the space has grown, at most twenty times as long.
 */
function youngSpaces(young: number): readonly number[] {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepHeapSmall } from ${JSON.stringify(smallHeap)};
    keepHeapSmall(10, ${young});
    const space = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space').space_size;
    const kept = [];
    async function work() {
      let largest = 0;
      for (let round = 0; round < 300 || (largest <= ${young} && round < 6000); round++) {
        kept[round % 10] = Array.from({ length: 5000 }, (_, number) => ({ number }));
        await new Promise((resolve) => setImmediate(resolve));
        largest = Math.max(largest, space());
      }
      return largest;
    }
    const before = await work();
    gc({ type: 'major', flavor: 'last-resort' });
    console.log(JSON.stringify([before, space(), await work()]));`;
  const words = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('the space for what is new', () => {
  // V8 alone lets it grow to 32 MB.
  it('grows as far as it may, and again after a rest', () => {
    const [before = 0, rested = 0, after = 0] = youngSpaces(4e6);
    assert.ok(before > 4e6 && before < 9e6, `${before} bytes`);
    assert.ok(rested < 2e6, `${rested} bytes at rest`);
    assert.ok(after > 4e6 && after < 9e6, `${after} bytes after that`);
  });
});
