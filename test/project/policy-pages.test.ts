/** Tests that the examples on the pages about policies show what the command line writes. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';
import { policyExample, policySystems } from './policy-pages.ts';

describe('the pages about policies', () => {
  for (const system of policySystems) {
    it(`${system} shows what the commands write`, async () => {
      const { files, runs } = policyExample(system);
      assert.ok(runs.length > 1);
      for (const { words, output } of runs)
        assert.deepEqual((await runInMemory(words, { files })).out, output, words.join(' '));
      const [first = ''] = (await runInMemory(['check'], { files })).out;
      assert.match(first, /^No problems in/);
    });
  }
});
