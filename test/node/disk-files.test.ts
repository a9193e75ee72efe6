/** What text does a file on disk hold, and why may it not be read? */

import assert from 'node:assert/strict';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { type OpenFile, readTextAside, readTextHere } from '../../server/src/node/read-text.ts';
import { turns } from '../../server/src/node/turns.ts';
import { makeFolder, removeFolders } from './folders.ts';

describe('files on disk', () => {
  afterEach(removeFolders);

  it('are read in the order asked, without byte order marks', async () => {
    const folder = makeFolder({ 'a.yaml': 'a: ä', 'b.yaml': '\uFEFFb', 'empty.yaml': '' });
    utimesSync(join(folder, 'a.yaml'), 1e9, 1e9);
    const uris = ['b.yaml', 'a.yaml', 'empty.yaml'].map((name) => fileUri(join(folder, name)));
    const read = await diskFiles.read(uris, 1000);
    assert.deepEqual(
      read.map((each) => 'text' in each && each.text),
      ['b', 'a: ä', ''],
    );
    const { size, mtimeMs: modified } = statSync(join(folder, 'a.yaml'));
    assert.deepEqual(read[1], { text: 'a: ä', stat: { size, modified } });
    assert.deepEqual((await diskFiles.stat(uris))[1], { size, modified });
  });

  it('that have just changed are marked, since they may change again and keep their time', async () => {
    const folder = makeFolder({ 'a.yaml': 'a' });
    const path = join(folder, 'a.yaml');
    const inTheFuture = Date.now() / 1000 + 1e6;
    utimesSync(path, inTheFuture, inTheFuture);
    const read = readTextHere(path, 1000);
    assert.equal('text' in read && read.stat?.fresh, true);
  });

  it('are nothing where there is no file', async () => {
    const folder = makeFolder({ 'x/a.yaml': '' });
    assert.deepEqual(await diskFiles.stat([fileUri(join(folder, 'x')), fileUri(join(folder, 'gone'))]), [
      undefined,
      undefined,
    ]);
  });

  for (const [way, readText] of [
    ['here', readTextHere],
    ['aside', readTextAside],
  ] as const) {
    it(`are skipped with the reason (${way})`, async () => {
      const folder = makeFolder({
        'large.yaml': 'x'.repeat(11),
        'binary.yaml': Uint8Array.of(1, 0, 2),
        'latin1.yaml': Uint8Array.of(0x61, 0xe4),
        'fits.yaml': 'x'.repeat(10),
        'folder.yaml/a': '',
      });
      const names = ['large', 'binary', 'latin1', 'fits', 'gone', 'folder'];
      const read = await Promise.all(names.map((name) => readText(join(folder, `${name}.yaml`), 10)));
      assert.deepEqual(
        read.map((each) => ('text' in each ? each.text : each.skipped)),
        [
          'it is larger than 10 bytes',
          'it is not text',
          'it is not UTF-8 text',
          'x'.repeat(10),
          'it is not there (ENOENT)',
          'it is a folder (EISDIR)',
        ],
      );
    });
  }
});

describe('a file that changes while it is read', () => {
  it('is read once more', async () => {
    const changing = fakeFile(['old', 'new and longer', 'new and longer']);
    const read = await readTextAside('a.yaml', 1000, changing.open);
    assert.deepEqual(read, { text: 'new and longer', stat: { size: 14, modified: 0 } });
    assert.equal(changing.opened(), 2);
    assert.equal(changing.closed(), 2);
  });

  it('is skipped where it changes again', async () => {
    const changing = fakeFile(['a', 'aa', 'aaa', 'aaaa', 'aaaaa']);
    assert.deepEqual(await readTextAside('a.yaml', 1000, changing.open), { skipped: 'it changed while it was read' });
    assert.equal(changing.opened(), 2);
  });

  it('is noticed by its time as well as by its size', async () => {
    const changing = fakeFile(['a', 'b', 'c', 'd'], (state) => state);
    assert.deepEqual(await readTextAside('a.yaml', 1000, changing.open), { skipped: 'it changed while it was read' });
  });
});

describe('long work', () => {
  it('goes on until its slice of time is over, and then waits for one turn of the others', async () => {
    let now = 0;
    const pause = turns(() => now);
    now = 9;
    assert.equal(pause(), undefined);
    now = 10;
    const turn = pause();
    assert.ok(turn instanceof Promise);
    let others = false;
    setImmediate(() => {
      others = true;
    });
    now = 500;
    await turn;
    await new Promise<void>((resolve) => setImmediate(resolve));
    assert.equal(others, true);
    now = 509;
    assert.equal(pause(), undefined);
  });
});

/** A file that is in its next state each time that it is looked at; it stays in the last one. */
function fakeFile(states: readonly string[], timeOf: (state: number) => number = () => 0) {
  let state = -1;
  let opened = 0;
  let closed = 0;
  const next = () => states[Math.min(++state, states.length - 1)] ?? '';
  const open = async (): Promise<OpenFile> => {
    opened++;
    return {
      stat: async () => ({ size: next().length, mtimeMs: timeOf(state), isFile: () => true }),
      async read(bytes, at) {
        const text = states[Math.min(state, states.length - 1)] ?? '';
        const rest = Buffer.from(text.slice(at));
        rest.copy(bytes, at);
        return Math.min(rest.length, bytes.length - at);
      },
      async close() {
        closed++;
      },
    };
  };
  return { open, opened: () => opened, closed: () => closed };
}
