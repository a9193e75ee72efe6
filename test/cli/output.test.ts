/** Tests the options that choose where output is written, and how much. */

import assert from 'node:assert/strict';
import { goodPrices } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'prices.yaml': goodPrices.replace(/name: \S+/, 'name: Prices') };

describe('--output', () => {
  it('writes what standard output would contain to a file, with the same exit code', async () => {
    const expected = await runInMemory(['check', '-f', 'json'], { files });
    const { code, out, written } = await runInMemory(['check', '-f', 'json', '-o', 'reports/x.json'], { files });
    assert.equal(code, 1);
    assert.deepEqual(out, []);
    assert.deepEqual(written, { 'reports/x.json': expected.out.map((line) => `${line}\n`).join('') });
  });

  it('replaces an earlier file', async () => {
    const earlier = { ...files, 'x.txt': 'earlier' };
    const { written } = await runInMemory(['check', '--output=x.txt'], { files: earlier });
    assert.match(written['x.txt'] ?? '', /^prices\.yaml:/);
  });

  it('changes no file if the command fails', async () => {
    const { code, written } = await runInMemory(['check', 'nowhere', '-o', 'x.txt'], { files });
    assert.equal(code, 2);
    assert.deepEqual(written, {});
  });
});

describe('--quiet', () => {
  it('leaves out the counts', async () => {
    const all = await runInMemory(['check'], { files });
    const quiet = await runInMemory(['check', '-q'], { files });
    assert.deepEqual(quiet.out, all.out.slice(0, -1));
    assert.match(all.out.at(-1) ?? '', /^1 error in 1 object/);
    assert.deepEqual([quiet.code, quiet.err], [1, []]);
  });

  it('writes nothing without findings', async () => {
    const { code, out, err } = await runInMemory(['check', '-q'], { files: { 'prices.yaml': goodPrices } });
    assert.deepEqual([code, out, err], [0, [], []]);
  });
});
