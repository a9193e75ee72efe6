/** Is what was written into the cache read again, and anything else taken for nothing? */

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFile } from '../../server/src/node/cache-file.ts';

describe('the cache on disk', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selector-lens-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const stored = { header: '{"of":"ünïcode"}', bytes: Uint8Array.from([0, 1, 128, 255]) };

  it('is nothing before it was written', async () => {
    assert.equal(await cacheFile(join(folder, 'none'), ['file:///a']).read(), undefined);
  });

  it('is what was written', async () => {
    const cache = cacheFile(join(folder, 'new'), ['file:///a']);
    await cache.write(stored);
    const read = (await cache.read()) ?? assert.fail();
    assert.equal(read.header, stored.header);
    assert.deepEqual(Uint8Array.from(read.bytes), stored.bytes);
    assert.deepEqual((await readdir(join(folder, 'new'))).length, 1);
  });

  it('is another one for other folders', async () => {
    await cacheFile(folder, ['file:///a']).write(stored);
    assert.equal(await cacheFile(folder, ['file:///a', 'file:///b']).read(), undefined);
  });

  it('is nothing where its end is missing', async () => {
    const cache = cacheFile(folder, ['file:///a']);
    await cache.write(stored);
    const path = join(folder, (await readdir(folder))[0] ?? '');
    for (const length of [0, 3, 10]) {
      await writeFile(path, (await readFile(path)).subarray(0, length));
      assert.equal(await cache.read(), undefined);
    }
  });
});
