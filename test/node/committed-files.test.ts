/** Tests the files of a commit in git repositories that git itself created. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { openCommit } from '../../server/src/node/git/committed-files.ts';
import { FolderFilter } from '../../server/src/workspace/ignore/folder-filter.ts';
import { listFolders } from '../../server/src/workspace/live/load.ts';

const maximum = 5_000_000;
let top: string;

before(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-git-')));
});
after(() => rmSync(top, { recursive: true, force: true }));

/** Runs git without any configuration. */
function git(folder: string, ...words: readonly string[]): string {
  const own = ['user.name=Ada', 'user.email=ada@example.com', 'init.defaultBranch=main', 'protocol.file.allow=always'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const settings = own.flatMap((each) => ['-c', each]);
  return execFileSync('git', [...settings, ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function commit(folder: string, files: Readonly<Record<string, string>>): void {
  write(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'change');
}

function repository(name: string, files: Readonly<Record<string, string>> = { 'web.yaml': 'one\n' }): string {
  const folder = join(top, name);
  mkdirSync(folder);
  git(folder, 'init', '-q');
  commit(folder, files);
  return folder;
}

function rootOf(folder: string): string {
  return pathToFileURL(folder).href;
}

/** Every file of a commit by its path, with its text or why it was not read. */
async function filesOf(folder: string, name = 'HEAD'): Promise<Readonly<Record<string, string>>> {
  const root = rootOf(folder);
  const opened = openCommit(root, name);
  if ('refused' in opened) return { refused: opened.refused };
  const listed = await opened.list(root, 10_000, new FolderFilter(root, { include: [], exclude: [] }));
  const texts = await opened.read(listed.files, maximum);
  const read = listed.files.map((uri, index) => {
    const text = texts[index];
    return [uri.slice(root.length + 1), text === undefined ? '' : 'text' in text ? text.text : `(${text.skipped})`];
  });
  const skipped = (listed.skipped ?? []).map(({ uri, reason }) => [uri.slice(root.length + 1), `(${reason})`]);
  const links = [...(listed.links ?? [])].map(([uri, target]) => {
    return [uri.slice(root.length + 1), `→ ${target.slice(root.length + 1)}`];
  });
  opened.close();
  return Object.fromEntries([...read, ...skipped, ...links].toSorted());
}

function packsOf(folder: string): readonly string[] {
  const packs = join(folder, '.git/objects/pack');
  return readdirSync(packs).flatMap((name) => (name.endsWith('.pack') ? [join(packs, name)] : []));
}

/** git makes its files read-only. */
function rewrite(path: string, bytes: Uint8Array): void {
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}

/** A text of many lines, for which git stores only the differences. */
function long(changed: string): string {
  return Array.from({ length: 2_000 }, (_, line) => `${line}: ${(line * 7919) % 1_000}\n`).join('') + changed;
}

describe('the files of a commit', () => {
  it('are those of the merge base of two branches, as git computes it', async () => {
    const folder = repository('branches');
    git(folder, 'checkout', '-q', '-b', 'topic');
    commit(folder, { 'topic.yaml': 'topic\n' });
    git(folder, 'checkout', '-q', 'main');
    commit(folder, { 'web.yaml': 'two\n' });
    git(folder, 'checkout', '-q', 'topic');
    git(folder, 'merge', '-q', '--no-edit', 'main');
    commit(folder, { 'topic.yaml': 'more\n' });
    git(folder, 'checkout', '-q', 'main');
    commit(folder, { 'web.yaml': 'three\n' });
    git(folder, 'checkout', '-q', 'topic');
    assert.equal(git(folder, 'show', `${git(folder, 'merge-base', 'main', 'HEAD').trim()}:web.yaml`), 'two\n');
    for (const name of ['main...HEAD', 'main...', '...main', 'topic...main'])
      assert.deepEqual(await filesOf(folder, name), { 'web.yaml': 'two\n' }, name);
    assert.deepEqual(await filesOf(folder, 'HEAD...topic'), { 'topic.yaml': 'more\n', 'web.yaml': 'two\n' });
    git(folder, 'checkout', '-q', '--orphan', 'other');
    commit(folder, { 'web.yaml': 'four\n' });
    assert.deepEqual(await filesOf(folder, 'main...other'), {
      refused: "there is no common commit for 'main...other'",
    });
  });

  it('are read from loose objects', async () => {
    const folder = repository('loose', { 'web.yaml': 'one\n', 'a b/ä.yaml': 'two\n', empty: '' });
    write(folder, { 'web.yaml': 'changed\n', 'new.yaml': 'new\n' });
    assert.deepEqual(await filesOf(folder), { 'a%20b/%C3%A4.yaml': 'two\n', empty: '', 'web.yaml': 'one\n' });
  });

  it('are read although a pattern matches them, because git tracks them', async () => {
    const folder = repository('ignored', { '.gitignore': '*.yaml\nout/\n' });
    write(folder, { 'web.yaml': 'one\n', 'out/api.yaml': 'two\n' });
    git(folder, 'add', '-f', '.');
    git(folder, 'commit', '-q', '-m', 'change');
    const root = rootOf(folder);
    const opened = openCommit(root, 'HEAD');
    assert.ok(!('refused' in opened));
    const options = { folders: [root], include: [], exclude: [], maximumFiles: 100, maximumFileSize: maximum };
    const { uris } = await listFolders(opened, { ...options, isCancelled: () => false });
    assert.deepEqual([...uris], [`${root}/out/api.yaml`, `${root}/web.yaml`]);
    opened.close();
  });

  for (const [what, options] of [
    ['by distance', []],
    ['by id', ['-c', 'repack.useDeltaBaseOffset=false']],
  ] as const) {
    it(`are read from packs with deltas ${what}`, async () => {
      const folder = repository(`packed ${what}`, { 'long.yaml': long('first\n') });
      for (const each of ['second\n', 'third\n', long('x')])
        commit(folder, { 'long.yaml': long(each), 'n.yaml': each });
      git(folder, ...options, 'repack', '-q', '-a', '-d', '--depth=50', '--window=50');
      git(folder, 'prune-packed');
      git(folder, 'pack-refs', '--all');
      const verified = git(folder, 'verify-pack', '-v', ...packsOf(folder));
      assert.match(verified, /chain length = 1/);
      for (const name of ['HEAD', 'main~1', 'HEAD~2', 'HEAD~3'])
        assert.equal((await filesOf(folder, name))['long.yaml'], git(folder, 'show', `${name}:long.yaml`), name);
    });
  }

  it('are read from long chains of deltas', async () => {
    const names = Array.from({ length: 100 }, (_, number) => `${100 + number}.yaml`);
    const lines = Array.from({ length: 600 }, (_, number) => `${Math.sin(number)}\n`);
    const texts = Object.fromEntries(names.map((name, at) => [name, lines.slice(4 * at, 4 * at + 200).join('')]));
    const folder = repository('chain', texts);
    git(folder, 'repack', '-q', '-a', '-d', '-f', '--depth=90', '--window=10');
    const verified = git(folder, 'verify-pack', '-v', ...packsOf(folder));
    const depths = [...verified.matchAll(/ (\d+) [0-9a-f]{40}$/gm)].map(([, depth]) => Number(depth));
    assert.ok(Math.max(...depths) > 4, `${Math.max(...depths)}`);
    assert.deepEqual(await filesOf(folder), texts);
  });

  it('have names as in git', async () => {
    const folder = repository('long names');
    const first = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'tag', '-a', 'v1', '-m', 'first');
    git(folder, 'update-ref', 'refs/remotes/origin/main', first);
    git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    git(folder, 'checkout', '-q', '-b', 'feature/x');
    commit(folder, { 'side.yaml': 'side\n' });
    git(folder, 'checkout', '-q', 'main');
    commit(folder, { 'web.yaml': 'two\n' });
    git(folder, 'merge', '-q', '--no-edit', 'feature/x');
    const names = [
      'v1',
      first,
      first.slice(0, 7),
      'origin/main',
      'origin',
      'main~2',
      'HEAD^1~1',
      'HEAD^^',
      'refs/tags/v1',
    ];
    for (const name of names) assert.deepEqual(await filesOf(folder, name), { 'web.yaml': 'one\n' }, name);
    assert.deepEqual(await filesOf(folder, 'feature/x'), { 'side.yaml': 'side\n', 'web.yaml': 'one\n' });
    assert.deepEqual(await filesOf(folder, 'HEAD^2'), { 'side.yaml': 'side\n', 'web.yaml': 'one\n' });
    assert.deepEqual(await filesOf(folder, '@'), { 'side.yaml': 'side\n', 'web.yaml': 'two\n' });
  });

  it('are rejected with a sentence', async () => {
    const folder = repository('refused');
    const refusal = async (name: string) => (await filesOf(folder, name))['refused'];
    assert.equal(await refusal('nothing'), "there is no commit 'nothing' in this repository");
    assert.equal(await refusal('HEAD~9'), "there is no commit 'HEAD~9' in this repository");
    for (const name of ['', '../x', 'main..x', 'HEAD@{1}', 'main:web.yaml', '--all', 'config', 'HEAD^{tree}'])
      assert.match((await refusal(name)) ?? '', /not the name of a commit|no commit/, name);
    assert.deepEqual(openCommit(rootOf(top), 'HEAD'), { refused: 'there is no git repository' });
    write(folder, { '.git/config': '[extensions]\n\tobjectFormat = sha256\n' });
    assert.match((await refusal('HEAD')) ?? '', /named by sha256, which is not supported/);
    write(folder, { '.git/config': '[extensions]\n\trefStorage = reftable\n' });
    assert.match((await refusal('HEAD')) ?? '', /stored as reftable, which is not supported/);
  });

  it('are found in a worktree, and in a repository with alternates', async () => {
    const folder = repository('origin');
    git(folder, 'worktree', 'add', '-q', '-b', 'other', join(top, 'worktree'));
    commit(join(top, 'worktree'), { 'web.yaml': 'other\n' });
    assert.deepEqual(await filesOf(join(top, 'worktree')), { 'web.yaml': 'other\n' });
    assert.deepEqual(await filesOf(join(top, 'worktree'), 'main'), { 'web.yaml': 'one\n' });
    git(top, 'clone', '-q', '--shared', folder, 'borrowing');
    assert.deepEqual(await filesOf(join(top, 'borrowing')), { 'web.yaml': 'one\n' });
  });

  it('are not read from a repository with a network path, which is a local path on this system', async () => {
    const folder = repository('far');
    git(top, 'clone', '-q', '--shared', folder, 'alternate');
    writeFileSync(join(top, 'alternate/.git/objects/info/alternates'), `/${join(folder, '.git/objects')}\n`);
    assert.match((await filesOf(join(top, 'alternate')))['refused'] ?? '', /there is no commit|cloned in part/);
    git(folder, 'worktree', 'add', '-q', '-b', 'other', join(top, 'shared'));
    writeFileSync(join(folder, '.git/worktrees/shared/commondir'), `/${join(folder, '.git')}\n`);
    assert.match((await filesOf(join(top, 'shared')))['refused'] ?? '', /there is no git repository/);
    for (const [name, text] of [
      ['named', `gitdir: /${join(folder, '.git')}\n`],
      ['windows', 'gitdir: \\\\server\\share\n'],
    ] as const) {
      mkdirSync(join(top, name));
      writeFileSync(join(top, name, '.git'), text);
      assert.match((await filesOf(join(top, name)))['refused'] ?? '', /there is no git repository/);
    }
  });

  it('are read in a shallow repository as far as they exist', async () => {
    const folder = repository('deep');
    commit(folder, { 'web.yaml': 'two\n' });
    git(top, 'clone', '-q', '--depth', '1', rootOf(folder), 'shallow');
    assert.deepEqual(await filesOf(join(top, 'shallow')), { 'web.yaml': 'two\n' });
    assert.match((await filesOf(join(top, 'shallow'), 'HEAD~1'))['refused'] ?? '', /cloned in part: fetch more of it/);
  });

  it('name the missing objects of a commit', async () => {
    const folder = repository('partly', {
      'large.yaml': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`,
      'web.yaml': 'one\n',
    });
    symlinkSync('web.yaml', join(folder, 'link.yaml'));
    git(folder, 'submodule', 'add', '-q', rootOf(repository('inner')), 'inner');
    commit(folder, { 'huge.yaml': 'x'.repeat(maximum + 1) });
    const { '.gitmodules': _, ...files } = await filesOf(folder);
    assert.deepEqual(files, {
      'huge.yaml': '(it is larger than 5000000 bytes)',
      inner: '(it is a submodule, whose files are in another repository)',
      'large.yaml': '(git has only a pointer of Git LFS to its content)',
      'link.yaml': '→ web.yaml',
      'web.yaml': 'one\n',
    });
    assert.deepEqual(await filesOf(join(folder, 'inner')), { 'web.yaml': 'one\n' });
  });

  it('have the targets of links', async () => {
    const folder = repository('links', { 'bases/web/web.yaml': 'one\n', 'notes.txt': 'two\n' });
    const links = {
      'link.yaml': 'bases/web/web.yaml',
      'over/base': '../bases/web',
      'over/second.yaml': 'base/web.yaml',
      'over/text.yaml': '../notes.txt',
      'over/nowhere.yaml': '../none.yaml',
      'over/circle.yaml': 'circle.yaml',
      'over/outside.yaml': '/etc/web.yaml',
      'over/above.yaml': '../../web.yaml',
      'over/picture': '../none.png',
    };
    mkdirSync(join(folder, 'over'));
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
    commit(folder, {});
    const outside = '(it is a link that leads outside of the workspace or nowhere)';
    assert.deepEqual(await filesOf(folder), {
      'bases/web/web.yaml': 'one\n',
      'notes.txt': 'two\n',
      'over/above.yaml': outside,
      'over/circle.yaml': outside,
      'over/nowhere.yaml': outside,
      'over/outside.yaml': outside,
      'over/text.yaml': 'two\n',
      'link.yaml': '→ bases/web/web.yaml',
      'over/base': '→ bases/web',
      'over/second.yaml': '→ bases/web/web.yaml',
    });
  });

  it('are skipped or rejected if the repository is damaged', async () => {
    const folder = repository('damaged', { 'long.yaml': long('a') });
    commit(folder, { 'long.yaml': long('b') });
    git(folder, 'repack', '-q', '-a', '-d');
    const [pack = ''] = packsOf(folder);
    const whole = readFileSync(pack);
    const step = Math.max(1, Math.floor(whole.length / 40));
    for (let at = 12; at < whole.length - 20; at += step) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      rewrite(pack, bytes);
      for (const text of Object.values(await filesOf(folder, 'HEAD'))) assert.equal(typeof text, 'string');
    }
    rewrite(pack, whole.subarray(0, 40));
    assert.equal(typeof (await filesOf(folder))['refused'], 'string');
    rewrite(pack.replace(/pack$/, 'idx'), Buffer.from('nothing'));
    assert.match((await filesOf(folder))['refused'] ?? '', /index of a pack/);
  });

  it('are rejected if folders contain each other so often that the commit lists billions of files', async () => {
    const folder = repository('repeated');
    const treeOf = (entries: readonly string[]) =>
      execFileSync('git', ['mktree'], { cwd: folder, input: `${entries.join('\n')}\n`, encoding: 'utf8' }).trim();
    const blob = git(folder, 'rev-parse', 'HEAD:web.yaml').trim();
    let tree = treeOf([`100644 blob ${blob}\tweb.yaml`]);
    const trees = [tree];
    for (let level = 0; level < 8; level++) {
      const inside = tree;
      tree = treeOf(Array.from({ length: 10 }, (_, n) => `040000 tree ${inside}\tf${n}`));
      trees.push(tree);
    }
    const named = (id: string | undefined) => git(folder, 'commit-tree', '-m', 'change', id ?? '').trim();
    assert.deepEqual(await filesOf(folder, named(trees.at(-1))), { refused: 'the commit has too many files' });
    assert.equal(Object.keys(await filesOf(folder, named(trees[2]))).length, 100);
  });

  it('are rejected if the content of an object has another id', async () => {
    const folder = repository('other content');
    const path = (name: string) => {
      const id = git(folder, 'rev-parse', name).trim();
      return join(folder, '.git/objects', id.slice(0, 2), id.slice(2));
    };
    write(folder, { 'web.yaml': 'two\n' });
    git(folder, 'add', '-A');
    rewrite(path('HEAD:web.yaml'), readFileSync(path(':web.yaml')));
    assert.deepEqual(await filesOf(folder), { 'web.yaml': '(an object is damaged)' });
  });

  it('are rejected if two packs store objects as differences from each other', async () => {
    const folder = repository('circular packs');
    const [one, other] = ['1'.repeat(40), '2'.repeat(40)];
    writePack(folder, one, other);
    writePack(folder, other, one);
    assert.deepEqual(await filesOf(folder, one), { refused: 'an object is too long a chain' });
  });

  it('are rejected if a name is longer than any file system allows', async () => {
    const folder = repository('endless names');
    const blob = git(folder, 'rev-parse', 'HEAD:web.yaml').trim();
    const treeOf = (name: string) => {
      const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
      const input = { cwd: folder, input: entry, encoding: 'utf8' } as const;
      return execFileSync('git', ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], input).trim();
    };
    assert.deepEqual(Object.keys(await filesOf(folder, treeOf('x'.repeat(4_000)))), ['x'.repeat(4_000)]);
    assert.deepEqual(await filesOf(folder, treeOf('x'.repeat(5_000))), {
      refused: 'a folder of the commit is damaged',
    });
  });

  it('are skipped after the first 300 MB', async () => {
    const folder = repository('large files');
    const blobs = Array.from({ length: 65 }, (_, n) => blobIn(folder, `${'#'.repeat(maximum - 3)}${100 + n}`));
    assert.equal(await skippedIn(folder, blobs), 5);
  });

  it('count many times if more than 20 files have the same content', async () => {
    const folder = repository('one content under many names');
    const blob = blobIn(folder, '#'.repeat(maximum));
    assert.equal(
      await skippedIn(
        folder,
        Array.from({ length: 65 }, () => blob),
      ),
      45,
    );
  });

  const blobIn = (cwd: string, input: string) =>
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd, input, encoding: 'utf8' }).trim();

  /** Returns the number of files that are skipped in a tree of blobs. */
  async function skippedIn(folder: string, blobs: readonly string[]): Promise<number> {
    const input = blobs.map((blob, n) => `100644 blob ${blob}\t${100 + n}.yaml\n`).join('');
    const tree = execFileSync('git', ['mktree'], { cwd: folder, input, encoding: 'utf8' }).trim();
    const texts = Object.values(await filesOf(folder, tree));
    return texts.filter((text) => text === '(the commit has more than 300000000 bytes)').length;
  }
});

/** Writes a pack that contains one object as a difference from an object of another pack. */
function writePack(folder: string, id: string, base: string): void {
  const delta = deflateSync(Buffer.from([1, 1, 0x91, 0, 1]));
  const header = Buffer.concat([Buffer.from('PACK'), uint32(2), uint32(1)]);
  const path = join(folder, '.git/objects/pack', `pack-${id}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.pack`, Buffer.concat([header, Buffer.from([0x75]), Buffer.from(base, 'hex'), delta]));
  const first = Number.parseInt(id.slice(0, 2), 16);
  const fanOut = Array.from({ length: 256 }, (_, byte) => uint32(byte < first ? 0 : 1));
  const signature = Buffer.from([0xff, 0x74, 0x4f, 0x63]);
  const [checksum, offset] = [uint32(0), uint32(header.length)];
  writeFileSync(
    `${path}.idx`,
    Buffer.concat([signature, uint32(2), ...fanOut, Buffer.from(id, 'hex'), checksum, offset]),
  );
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
