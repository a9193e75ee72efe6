/** Tests that the files that git tracks are listed although a pattern matches them, in working trees that git itself created. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Bounds } from '../../server/src/node/bounds.ts';
import { gitIndexIn } from '../../server/src/node/git/tracked-files.ts';
import { listFolder } from '../../server/src/node/list-folder.ts';
import { FolderFilter } from '../../server/src/workspace/ignore/folder-filter.ts';
import { canonicalUri, relativePath } from '../../server/src/workspace/uri.ts';

let top: string;
let count = 0;

before(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-tracked-')));
});
after(() => rmSync(top, { recursive: true, force: true }));

function git(folder: string, ...words: readonly string[]): void {
  const own = ['user.name=Ada', 'user.email=ada@example.com', 'init.defaultBranch=main', 'protocol.file.allow=always'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', [...own.flatMap((each) => ['-c', each]), ...words], { cwd: folder, env, stdio: 'pipe' });
}

/** Creates a repository that tracks some files, and then creates further files that it does not track. */
function repository(
  tracked: Readonly<Record<string, string>>,
  untracked: Readonly<Record<string, string>> = {},
  ...options: readonly string[]
): string {
  const folder = join(top, `${count++}`);
  mkdirSync(folder);
  git(folder, 'init', '-q', ...options);
  write(folder, tracked);
  git(folder, 'add', '-A', '-f');
  write(folder, untracked);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function names(folder: string, inside = ''): Promise<readonly string[]> {
  const path = join(folder, inside);
  const uri = canonicalUri(pathToFileURL(path).href);
  const listed = await listFolder(path, uri, 1000, new FolderFilter(uri, { include: [], exclude: [] }), new Bounds());
  return listed.files.map((each) => relativePath(uri, each));
}

const tracked = {
  '.gitignore': '*.yaml\nout/\n',
  'web.yaml': '',
  'out/a b/ä.yaml': '',
  'out/web.yaml': '',
};
const untracked = { 'new.yaml': '', 'out/new.yaml': '', 'out/new/a.json': '', 'b.json': '' };

describe('the files that git tracks', () => {
  it('are listed although a pattern matches them or their folder, and no other file of that folder', async () => {
    const folder = repository(tracked, untracked);
    assert.deepEqual(await names(folder), ['b.json', 'web.yaml', 'out/web.yaml', 'out/a b/ä.yaml']);
  });

  it('are listed in a folder of the repository, by the patterns of its parent folders', async () => {
    const folder = repository(
      { '.gitignore': '*.yaml\nout/', 'apps/web.yaml': '', 'apps/out/a.json': '' },
      { 'apps/new.yaml': '', 'apps/out/b.json': '' },
    );
    assert.deepEqual(await names(folder, 'apps'), ['web.yaml', 'out/a.json']);
  });

  it('are listed in a repository within the folder, whose own index counts', async () => {
    const folder = repository({ '.gitignore': '*.yaml', 'a.yaml': '' });
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '-q');
    write(inner, { '.gitignore': 'b.yaml\nc.yaml', 'b.yaml': '', 'c.yaml': '' });
    git(inner, 'add', '-f', 'b.yaml');
    assert.deepEqual(await names(folder), ['a.yaml', 'inner/b.yaml']);
  });

  it('are listed in a further working tree', async () => {
    const folder = repository({ '.gitignore': '*.yaml', 'a.yaml': '' });
    git(folder, 'commit', '-q', '-m', 'change');
    const tree = join(top, `${count++}`);
    git(folder, 'worktree', 'add', '-q', tree);
    write(tree, { 'b.yaml': '' });
    assert.deepEqual(await names(tree), ['a.yaml']);
  });

  for (const version of ['2', '3', '4'])
    it(`are read from an index of version ${version}`, async () => {
      const folder = repository(tracked, untracked);
      git(folder, 'update-index', '--index-version', version);
      if (version === '3') {
        // Git writes version 3 only if an entry has the additional flags.
        write(folder, { 'later.yaml': '' });
        git(folder, 'add', '-f', '-N', 'later.yaml');
        assert.equal(readFileSync(join(folder, '.git/index')).readUInt32BE(4), 3);
        rmSync(join(folder, 'later.yaml'));
      }
      assert.deepEqual(await names(folder), ['b.json', 'web.yaml', 'out/web.yaml', 'out/a b/ä.yaml']);
    });

  it('are read from a repository whose ids are longer', async () => {
    const folder = repository(tracked, untracked, '--object-format=sha256');
    assert.deepEqual(await names(folder), ['b.json', 'web.yaml', 'out/web.yaml', 'out/a b/ä.yaml']);
  });

  for (const [what, options] of [
    ['by files', []],
    ['by folders', ['--sparse-index']],
  ] as const)
    it(`are not left out of a sparse checkout if they exist; others are listed ${what}`, async () => {
      const folder = repository({ 'a.yaml': '', 'b/b.yaml': '', 'b/c/c.yaml': '', 'd/d.yaml': '' });
      git(folder, 'commit', '-q', '-m', 'change');
      git(folder, 'sparse-checkout', 'set', '--cone', ...options, 'd');
      write(folder, { 'b/new.yaml': '' });
      const uri = canonicalUri(pathToFileURL(folder).href);
      const filter = new FolderFilter(uri, { include: [], exclude: [] });
      await listFolder(folder, uri, 1000, filter, new Bounds());
      const paths = ['a.yaml', 'b/b.yaml', 'b/c/c.yaml', 'b/new.yaml', 'b/old.yaml', 'd/d.yaml', 'd/old.yaml'];
      const isSparse = options.length > 0;
      const leftOut = ['b/b.yaml', 'b/c/c.yaml', ...(isSparse ? ['b/old.yaml'] : [])];
      assert.deepEqual(
        paths.filter((path) => filter.leavesOut(path)),
        leftOut,
      );
      const inner = new FolderFilter(`${uri}/b`, { include: [], exclude: [] });
      await listFolder(join(folder, 'b'), `${uri}/b`, 1000, inner, new Bounds());
      assert.deepEqual(
        ['b.yaml', 'c/c.yaml', 'new.yaml'].filter((path) => inner.leavesOut(path)),
        ['b.yaml', 'c/c.yaml'],
      );
    });

  it('are unknown without an index, and from the first damaged entry of an index', () => {
    const folder = repository({ 'a.yaml': '', 'b.yaml': '' });
    const index = readFileSync(join(folder, '.git/index'));
    const tracks = (bytes: Buffer | undefined) => {
      const copy = join(top, `${count++}`);
      write(copy, { '.git/HEAD': '' });
      if (bytes !== undefined) writeFileSync(join(copy, '.git/index'), bytes);
      const { isTracked } = gitIndexIn(copy);
      return ['a.yaml', 'b.yaml'].filter((path) => isTracked(path));
    };
    assert.deepEqual(tracks(index), ['a.yaml', 'b.yaml']);
    assert.deepEqual(tracks(undefined), []);
    assert.deepEqual(tracks(Buffer.from('DIRC')), []);
    assert.deepEqual(tracks(index.subarray(0, 12 + 72 + 30)), ['a.yaml']);
    for (let end = 0; end < index.length; end++) tracks(index.subarray(0, end));
  });
});
