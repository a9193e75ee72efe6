/** Tests of reading files from disk: their texts, and the reasons for skipping files. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Bounds, Resolver } from '../../server/src/node/bounds.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import {
  asyncRead,
  asyncReadWithin,
  type OpenFile,
  statOf,
  syncReadWithin,
  textOf,
} from '../../server/src/node/read-file.ts';
import { turns } from '../../server/src/node/yield-to-event-loop.ts';
import { FolderFilter } from '../../server/src/workspace/ignore/folder-filter.ts';
import { makeFolder, removeFolders } from './folders.ts';

const anywhere = () => new Resolver(new Bounds());
const syncReadText = (path: string, maximumBytes: number) => textOf(syncReadWithin(anywhere(), path, maximumBytes));
const asyncReadText = async (path: string, maximumBytes: number) =>
  textOf(await asyncReadWithin(anywhere(), path, maximumBytes));

describe('files on disk', () => {
  afterEach(removeFolders);

  it('are read in the requested order, without byte order marks', async () => {
    const folder = makeFolder({ 'a.yaml': 'a: ä', 'b.yaml': '\uFEFFb', 'empty.yaml': '' });
    utimesSync(join(folder, 'a.yaml'), 1e9, 1e9);
    const uris = ['b.yaml', 'a.yaml', 'empty.yaml'].map((name) => fileUri(join(folder, name)));
    const read = await diskFiles().read(uris, 1000);
    assert.deepEqual(
      read.map((each) => 'text' in each && each.text),
      ['b', 'a: ä', ''],
    );
    const stat = statOf(statSync(join(folder, 'a.yaml')));
    assert.deepEqual(read[1], { text: 'a: ä', stat });
    assert.deepEqual((await diskFiles().stat(uris))[1], stat);
  });

  it('have a new version if they were replaced by others with an equal size and modification time', async () => {
    const folder = makeFolder({ 'a.yaml': 'a: one', 'b.yaml': 'a: two' });
    const [a, b] = ['a.yaml', 'b.yaml'].map((name) => join(folder, name)) as [string, string];
    for (const path of [a, b]) utimesSync(path, 1e9, 1e9);
    const stats = () => diskFiles().stat([fileUri(a)]);
    const [before] = await stats();
    renameSync(b, a);
    const [after] = await stats();
    assert.deepEqual([before?.size, before?.modified], [after?.size, after?.modified]);
    if (process.platform !== 'win32') assert.notEqual(before?.identity, after?.identity);
  });

  it('that have just changed are marked, since they may change again with an equal time', async () => {
    const folder = makeFolder({ 'a.yaml': 'a' });
    const path = join(folder, 'a.yaml');
    const inTheFuture = Date.now() / 1000 + 1e6;
    utimesSync(path, inTheFuture, inTheFuture);
    const read = syncReadText(path, 1000);
    assert.equal('text' in read && read.stat?.fresh, true);
  });

  it('are undefined if there is no file', async () => {
    const folder = makeFolder({ 'x/a.yaml': '' });
    assert.deepEqual(await diskFiles().stat([fileUri(join(folder, 'x')), fileUri(join(folder, 'gone'))]), [
      undefined,
      undefined,
    ]);
  });

  for (const [way, readText] of [
    ['here', syncReadText],
    ['aside', asyncReadText],
  ] as const) {
    it(`are skipped with the reason (${way})`, async () => {
      const folder = makeFolder({
        'large.yaml': 'x'.repeat(11),
        'binary.yaml': Uint8Array.of(1, 0, 2),
        'latin1.yaml': Uint8Array.of(0x61, 0xe4),
        'fits.yaml': 'x'.repeat(10),
        'folder.yaml/a': '',
        'unmarked.yaml': Uint8Array.from(Buffer.from('a: 1', 'utf16le')),
        'half.yaml': Uint8Array.of(0xff, 0xfe, 0x00, 0xd8),
      });
      execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
      symlinkSync('/dev/null', join(folder, 'device.yaml'));
      const names = ['large', 'binary', 'latin1', 'fits', 'gone', 'folder', 'unmarked', 'half', 'pipe', 'device'];
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
          'it is UTF-16 without a byte order mark, which kubectl cannot read',
          'it is not UTF-16 text',
          'it is a named pipe, not a regular file',
          'it is a link that leads outside of the workspace or nowhere',
        ],
      );
    });
  }
});

describe('a file in UTF-16', () => {
  afterEach(removeFolders);

  it('is read as kubectl reads it, in both byte orders', async () => {
    const text = '\uFEFFname: ä🦊\n';
    const little = Buffer.from(text, 'utf16le');
    const folder = makeFolder({ 'a.yaml': little, 'b.yaml': Buffer.from(little).swap16() });
    const read = await diskFiles().read([fileUri(join(folder, 'a.yaml')), fileUri(join(folder, 'b.yaml'))], 100);
    assert.deepEqual(
      read.map((each) => 'text' in each && each.text),
      ['name: ä🦊\n', 'name: ä🦊\n'],
    );
  });
});

describe('a file that became a link', () => {
  afterEach(removeFolders);

  /** A listed workspace, and a file next to it. */
  async function listed(files: Readonly<Record<string, string>>) {
    const folder = makeFolder({ 'secret.yaml': 'secret', 'work/.git/HEAD': '', ...files });
    const disk = diskFiles();
    const work = fileUri(join(folder, 'work'));
    await disk.list(work, 100, new FolderFilter(work, { include: [], exclude: [] }));
    return { disk, inWork: (name: string) => join(folder, 'work', name) };
  }

  it('is not read if it leads outside, neither by a link to it nor by one to its folder', async () => {
    const { disk, inWork } = await listed({ 'work/a.yaml': 'a', 'work/base/secret.yaml': 'b' });
    rmSync(inWork('a.yaml'));
    symlinkSync('../secret.yaml', inWork('a.yaml'));
    rmSync(inWork('base'), { recursive: true });
    symlinkSync('..', inWork('base'));
    const uris = [inWork('a.yaml'), inWork('base/secret.yaml')].map(fileUri);
    const outside = { skipped: 'it is a link that leads outside of the workspace or nowhere' };
    assert.deepEqual(await disk.read(uris, 100), [outside, outside]);
    assert.deepEqual(
      uris.map((uri) => disk.readNow(uri, 100)),
      [outside, outside],
    );
    assert.deepEqual(await disk.contents(fileUri(inWork('')), uris, 100), [undefined, undefined]);
  });

  it('is read if it stays in the repository', async () => {
    const { disk, inWork } = await listed({ 'work/a.yaml': 'a', 'work/b.yaml': 'b' });
    rmSync(inWork('a.yaml'));
    symlinkSync('b.yaml', inWork('a.yaml'));
    const [read] = await disk.read([fileUri(inWork('a.yaml'))], 100);
    assert.equal(read && 'text' in read && read.text, 'b');
  });

  it('is not listed as a folder if it leads outside', async () => {
    const { disk, inWork } = await listed({ 'other/a.yaml': 'a' });
    symlinkSync('../other', inWork('new'));
    const uri = fileUri(inWork('new'));
    const filter = new FolderFilter(fileUri(inWork('')), { include: [], exclude: [] });
    const { files, skipped } = await disk.list(uri, 100, filter);
    assert.deepEqual(
      [files, skipped],
      [[], [{ uri, reason: 'it is a link that leads outside of the workspace or nowhere' }]],
    );
  });
});

describe('a file that changes while it is being read', () => {
  it('is read a second time', async () => {
    const changing = fakeFile(['old', 'new and longer', 'new and longer']);
    const read = textOf(await asyncRead('a.yaml', 1000, changing.open));
    assert.deepEqual(read, { text: 'new and longer', stat: statOf({ ...stamps, size: 14 }) });
    assert.equal(changing.opened(), 2);
    assert.equal(changing.closed(), 2);
  });

  it('is skipped if it changes again', async () => {
    const changing = fakeFile(['a', 'aa', 'aaa', 'aaaa', 'aaaaa']);
    assert.deepEqual(textOf(await asyncRead('a.yaml', 1000, changing.open)), {
      skipped: 'it changed while it was read',
    });
    assert.equal(changing.opened(), 2);
  });

  it('is detected by its time as well as by its size', async () => {
    const changing = fakeFile(['a', 'b', 'c', 'd'], (state) => state);
    assert.deepEqual(textOf(await asyncRead('a.yaml', 1000, changing.open)), {
      skipped: 'it changed while it was read',
    });
  });
});

describe('long work', () => {
  it('continues until its slice of time ends, and then yields once', async () => {
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

const stamps = { mtimeMs: 0, ctimeMs: 0, ino: 0 };

const regular = { isFile: () => true, isDirectory: () => false, isFIFO: () => false, isSocket: () => false };

/** A file that changes to its next state on each access, and keeps the last one. */
function fakeFile(states: readonly string[], timeOf: (state: number) => number = () => 0) {
  let state = -1;
  let opened = 0;
  let closed = 0;
  const next = () => states[Math.min(++state, states.length - 1)] ?? '';
  const open = async (): Promise<OpenFile> => {
    opened++;
    return {
      stat: async () => ({ ...regular, size: next().length, ...stamps, mtimeMs: timeOf(state) }),
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
