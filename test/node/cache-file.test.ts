/** Tests the cache on disk: it returns exactly the data that was written. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFile } from '../../server/src/node/cache-file.ts';
import { cacheFolder } from '../../server/src/node/cache-folder.ts';

describe('the cache on disk', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selector-lens-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const stored = { header: '{"of":"ünïcode"}', bytes: Uint8Array.from([0, 1, 128, 255]) };

  it('is empty before it is written', async () => {
    assert.equal(await cacheFile(join(folder, 'none'), ['file:///a']).read(), undefined);
  });

  it('contains the written data', async () => {
    const cache = cacheFile(join(folder, 'new'), ['file:///a']);
    await cache.write(stored);
    const read = (await cache.read()) ?? assert.fail();
    assert.equal(read.header, stored.header);
    assert.deepEqual(Uint8Array.from(read.bytes), stored.bytes);
    assert.deepEqual((await readdir(join(folder, 'new'))).length, 1);
  });

  it('is in a folder that is created with its parents, and is not written if that fails', async () => {
    const deep = join(folder, 'a/b/c');
    assert.equal(cacheFolder(deep), 'usable');
    assert.equal(statSync(join(folder, 'a')).mode & 0o777, 0o700);
    await writeFile(join(folder, 'file'), '');
    symlinkSync(join(folder, 'gone'), join(folder, 'link'));
    // Node.js itself never ends creating a folder with its parents in `/proc`.
    const proc = process.platform === 'linux' ? ['/proc/nope/a/b'] : [];
    for (const each of [join(folder, 'file/a/b'), join(folder, 'link/a'), ...proc]) {
      assert.equal(cacheFolder(each), 'absent', each);
      await cacheFile(each, ['file:///a']).write(stored);
      assert.equal(await cacheFile(each, ['file:///a']).read(), undefined);
    }
  });

  it('differs for other folders', async () => {
    await cacheFile(folder, ['file:///a']).write(stored);
    assert.equal(await cacheFile(folder, ['file:///a', 'file:///b']).read(), undefined);
  });

  it('is empty if its end is missing', async () => {
    const cache = cacheFile(folder, ['file:///a']);
    await cache.write(stored);
    const path = join(folder, (await readdir(folder))[0] ?? '');
    for (const length of [0, 3, 10]) {
      await writeFile(path, (await readFile(path)).subarray(0, length));
      assert.equal(await cache.read(), undefined);
    }
  });

  it('is private to the user, the file as well as the folder', async () => {
    const inside = join(folder, 'new');
    await cacheFile(inside, ['file:///a']).write(stored);
    assert.equal(statSync(inside).mode & 0o777, 0o700);
    const [name = ''] = await readdir(inside);
    assert.equal(statSync(join(inside, name)).mode & 0o777, 0o600);
  });

  it('is neither a link nor a pipe', async () => {
    const cache = cacheFile(folder, ['file:///a']);
    await cache.write(stored);
    const path = join(folder, (await readdir(folder))[0] ?? '');
    const bytes = await readFile(path);
    await rm(path);
    writeFileSync(join(folder, 'other'), bytes);
    symlinkSync('other', path);
    assert.equal(await cache.read(), undefined);
    await rm(path);
    execFileSync('mkfifo', [path]);
    assert.equal(await cache.read(), undefined);
    await cache.write(stored);
    assert.equal((await cache.read())?.header, stored.header);
  });

  it('removes only unfinished files of processes that were killed long ago', async () => {
    const old = `index-${'0'.repeat(32)}.17-0123456789ab.tmp`;
    const young = `index-${'0'.repeat(32)}.18-0123456789ab.tmp`;
    const names = [old, young, 'notes.tmp', `${old}.yaml`];
    for (const name of names) writeFileSync(join(folder, name), '');
    for (const name of names) if (name !== young) utimesSync(join(folder, name), 1e9, 1e9);
    await cacheFile(folder, ['file:///a']).write(stored);
    const left = (await readdir(folder)).filter((name) => names.includes(name));
    assert.deepEqual(left.toSorted(), [young, 'notes.tmp', `${old}.yaml`].toSorted());
  });
});

describe('a cache folder', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selector-lens-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The messages about a folder, when two caches in it are requested. */
  async function told(cache: string): Promise<readonly string[]> {
    const sentences: string[] = [];
    for (const workspace of ['file:///a', 'file:///b']) {
      const made = cacheFile(cache, [workspace], (sentence) => sentences.push(sentence));
      await made.write({ header: 'x', bytes: new Uint8Array() });
      const expected = sentences.length === 0 ? 'x' : undefined;
      assert.equal((await made.read())?.header, expected);
    }
    return sentences.map((sentence) => sentence.replace(cache, 'CACHE'));
  }

  it('that other users can write to is not used, which is reported once', async () => {
    for (const mode of [0o777, 0o775]) {
      const cache = join(folder, `mode-${mode}`);
      mkdirSync(cache);
      chmodSync(cache, mode);
      const reason = "other users can write to it ('chmod go-w' takes that away)";
      assert.deepEqual(await told(cache), [`The cache folder 'CACHE' is not used: ${reason}.`]);
      assert.deepEqual(await readdir(cache), []);
    }
  });

  it('in a folder that every user can write to is not used, unless that is sticky', async () => {
    chmodSync(folder, 0o777);
    const cache = join(folder, 'cache');
    const reason = 'every user can write to the folder above it';
    assert.deepEqual(await told(cache), [`The cache folder 'CACHE' is not used: ${reason}.`]);
    chmodSync(folder, 0o1777);
    assert.deepEqual(await told(cache), []);
  });

  it('of another user is not used', async () => {
    // Only an administrator can change the owner of a folder; for other users, a folder of the administrator is used.
    const isAdministrator = process.getuid?.() === 0;
    const cache = isAdministrator ? join(folder, 'cache') : '/';
    if (isAdministrator) {
      mkdirSync(cache, { mode: 0o700 });
      lchownSync(cache, 12_345, 12_345);
    }
    assert.deepEqual(await told(cache), [
      `The cache folder '${isAdministrator ? 'CACHE' : '/'}' is not used: it belongs to another user.`,
    ]);
  });
});
