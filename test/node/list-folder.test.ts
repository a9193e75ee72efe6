/** Tests of listing a folder on disk: the listed files, and the skipped ones with their reasons. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Bounds } from '../../server/src/node/bounds.ts';
import { fileUri } from '../../server/src/node/disk-files.ts';
import { listFolder } from '../../server/src/node/list-folder.ts';
import { FolderFilter, Folders } from '../../server/src/workspace/ignore/folder-filter.ts';
import type { Listed } from '../../server/src/workspace/live/load.ts';
import { relativePath } from '../../server/src/workspace/uri.ts';
import { makeFolder, removeFolders } from './folders.ts';

describe('a folder on disk', () => {
  afterEach(removeFolders);

  it('is listed with all folders in it, by name', async () => {
    const files = { 'b.yaml': '', 'a b.yml': '', 'x/ä.json': '', 'x/y/Kustomization': '', 'x/notes.txt': '' };
    assert.deepEqual(await names(files), ['a b.yml', 'b.yaml', 'x/ä.json', 'x/y/Kustomization']);
  });

  it('is listed up to the limit, and reports that there is more', async () => {
    const folder = makeFolder({ 'a.yaml': '', 'b.yaml': '', 'x/c.yaml': '' });
    const listed = await list(folder, '', 2);
    assert.deepEqual(shown(folder, listed), ['a.yaml', 'b.yaml']);
    assert.equal(listed.more, true);
    assert.equal((await list(folder, '', 3)).more, false);
  });

  it('leaves out ignored files, in nested folders as well', async () => {
    const files = {
      '.git/info/exclude': '/secret.yaml\n',
      '.gitignore': '*.json\n/out/\n',
      'secret.yaml': '',
      'a.json': '',
      'out/a.yaml': '',
      'x/.gitignore': '!keep.json\n',
      'x/keep.json': '',
      'x/other.json': '',
      'x/out/b.yaml': '',
    };
    assert.deepEqual(await names(files), ['x/keep.json', 'x/out/b.yaml']);
  });

  it('applies the ignore files above it, up to the root of the repository', async () => {
    const files = {
      '.gitignore': 'a.yaml',
      'repository/.git/HEAD': '',
      'repository/.gitignore': '/apps/shop/b.yaml\n*.json',
      'repository/apps/.gitignore': 'c.yaml\n!shop/a.json',
      ...Object.fromEntries(
        ['a.yaml', 'b.yaml', 'c.yaml', 'a.json', 'b.json'].map((name) => [`repository/apps/shop/${name}`, '']),
      ),
    };
    assert.deepEqual(await names(files, 'repository/apps/shop'), ['a.json', 'a.yaml']);
  });

  it('knows the generated files by the attributes in it and above it', async () => {
    const folder = makeFolder({
      '.gitattributes': '*.yaml linguist-generated',
      'repository/.git/HEAD': '',
      'repository/.gitattributes': '/shop/a.yaml linguist-generated',
      'repository/shop/a.yaml': '',
      'repository/shop/x/.gitattributes': 'b.yaml linguist-generated',
      'repository/shop/x/b.yaml': '',
      'repository/shop/x/c.yaml': '',
    });
    const shop = join(folder, 'repository', 'shop');
    const filter = new FolderFilter(fileUri(shop), { include: [], exclude: [] });
    await listFolder(shop, filter.folder, 100, filter, new Bounds());
    assert.deepEqual(
      ['a.yaml', 'x/b.yaml', 'x/c.yaml'].map((path) => filter.isMarkedGenerated(path)),
      [true, true, undefined],
    );
  });

  it('returns the folders around it, up to the root of the repository, and the nearest configuration in them', async () => {
    const folder = makeFolder({
      '.selector-lens.yaml': '',
      'repository/.git/HEAD': '',
      'repository/.selector-lens.yaml': '',
      'repository/the team/.selector-lens.yaml': '',
      'repository/the team/apps/shop/.selector-lens.yaml': '',
      link: '-> repository/the team/apps/shop',
    });
    const team = fileUri(join(folder, 'repository/the team'));
    const listed = await list(folder, 'repository/the team/apps/shop');
    assert.deepEqual(listed.around, [`${team}/apps`, team, fileUri(join(folder, 'repository'))]);
    assert.equal(listed.config, `${team}/.selector-lens.yaml`);
    assert.deepEqual(shown(folder, listed), ['repository/the team/apps/shop/.selector-lens.yaml']);
    assert.equal((await list(folder, 'repository')).config, undefined);
    assert.equal((await list(folder, 'link')).config, undefined);
  });

  it('knows the remotes and the branch of its repository, of the repository around it, and of the one of a worktree', async () => {
    const remote = (name: string) => `[remote "origin"]\n\turl = https://git.example.com/${name}.git\n`;
    const folder = makeFolder({
      'repository/.git/config': remote('shop'),
      'repository/.git/HEAD': 'ref: refs/heads/team/next\n',
      'repository/.git/worktrees/tree/commondir': '../..\n',
      'repository/.git/worktrees/tree/HEAD': 'ref: refs/heads/other\n',
      'repository/apps/a.yaml': '',
      'repository/apps/other/.git/config': remote('other'),
      'repository/apps/none/.git/HEAD': '',
      'tree/.git': 'gitdir: ../repository/.git/worktrees/tree\n',
      'network/.git': 'gitdir: //git.example.com/shop\n',
      'linked/.git/config': '-> ../../repository/.git/config',
    });
    const repositoryOf = async (opened: string, path = opened) => {
      const filter = new FolderFilter(fileUri(join(folder, opened)), { include: [], exclude: [] });
      await listFolder(join(folder, opened), filter.folder, 100, filter, new Bounds());
      const found = new Folders([filter]).repositoryOf(`${fileUri(join(folder, path))}/x.yaml`);
      const { root, remotes = [], branch = [] } = found ?? {};
      return root && [relativePath(fileUri(folder), root), ...remotes, branch].flat().join(' ');
    };
    assert.equal(await repositoryOf('repository'), 'repository git.example.com/shop team/next');
    assert.equal(await repositoryOf('repository/apps'), 'repository git.example.com/shop team/next');
    assert.equal(
      await repositoryOf('repository', 'repository/apps/other'),
      'repository/apps/other git.example.com/other',
    );
    assert.equal(await repositoryOf('repository', 'repository/apps/none'), 'repository/apps/none');
    assert.equal(await repositoryOf('tree'), 'tree git.example.com/shop other');
    assert.equal(await repositoryOf('network'), 'network');
    assert.equal(await repositoryOf('linked'), 'linked');
  });

  it('is read although it is ignored, if it was opened or named', async () => {
    const files = { '.git/HEAD': '', '.gitignore': 'out/', 'out/a.yaml': '' };
    assert.deepEqual(await names(files), []);
    assert.deepEqual(await names(files, 'out'), ['a.yaml']);
  });

  it('is skipped with the reason if it cannot be read, and others are listed', async () => {
    const folder = makeFolder({ 'a.yaml': '', 'closed/b.yaml': '', 'x/c.yaml': '' });
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const read = (path: string): Promise<Dirent[]> =>
      path.endsWith('closed') ? Promise.reject(denied) : readdir(path, { withFileTypes: true });
    const filter = new FolderFilter(fileUri(folder), { include: [], exclude: [] });
    const listed = await listFolder(folder, fileUri(folder), 100, filter, new Bounds(), read);
    assert.deepEqual(shown(folder, listed), ['a.yaml', 'x/c.yaml']);
    assert.deepEqual(listed.skipped, [{ uri: fileUri(join(folder, 'closed')), reason: 'permission denied (EACCES)' }]);
  });

  it('is skipped if it does not exist', async () => {
    const folder = makeFolder({});
    const listed = await list(join(folder, 'gone'));
    assert.deepEqual(listed.files, []);
    assert.deepEqual(
      listed.skipped?.map(({ reason }) => reason),
      ['it is not there (ENOENT)'],
    );
  });

  it('may be below the opened folder: created, or moved there', async () => {
    const folder = makeFolder({ '.gitignore': '*.json', 'x/y/a.yaml': '', 'x/y/a.json': '', 'x/b.yaml': '' });
    const uri = fileUri(folder);
    const filter = new FolderFilter(uri, { include: [], exclude: [] });
    filter.learn('', ['*.json']);
    const below = async (path: string) =>
      shown(folder, await listFolder(join(folder, path), fileUri(join(folder, path)), 100, filter, new Bounds()));
    assert.deepEqual(await below('x/y'), ['x/y/a.yaml']);
    assert.deepEqual(await below('x/b.yaml'), []);
    assert.deepEqual(await below('gone'), []);
  });
});

describe('a link', () => {
  afterEach(removeFolders);

  it('to a file in the folder is no second name of it', async () => {
    const folder = makeFolder({ 'base/a.yaml': '', 'b.yaml': '-> base/a.yaml', overlay: '-> base' });
    const listed = await list(folder);
    assert.deepEqual(shown(folder, listed), ['base/a.yaml']);
    const folders = new Folders([new FolderFilter(fileUri(folder), { include: [], exclude: [] })], listed.links);
    assert.equal(folders.fileNameOf(fileUri(join(folder, 'b.yaml'))), fileUri(join(folder, 'base/a.yaml')));
    assert.equal(folders.fileNameOf(fileUri(join(folder, 'overlay/a.yaml'))), fileUri(join(folder, 'base/a.yaml')));
  });

  it('to another file of the repository is read under its name, once', async () => {
    const files = {
      '.git/HEAD': '',
      'shared/a.yaml': '',
      'shared/deep/b.yaml': '',
      'apps/one': '-> ../shared',
      'apps/two': '-> ../shared/deep',
      'apps/three.yaml': '-> ../shared/a.yaml',
    };
    assert.deepEqual(await names(files, 'apps'), ['one/a.yaml', 'one/deep/b.yaml']);
  });

  it('to a file whose name is not that of a manifest is read by the name of the link', async () => {
    assert.deepEqual(await names({ 'data/text': '', 'a.yaml': '-> data/text' }), ['a.yaml']);
  });

  it('that leads outside of the repository or nowhere is skipped, and the reason does not state which', async () => {
    const folder = makeFolder({
      'secret/a.yaml': '',
      'work/a.yaml': '-> ../secret/a.yaml',
      'work/out': '-> ../secret',
      'work/lost.yaml': '-> nowhere',
      'work/lost': '-> nowhere',
    });
    const listed = await list(join(folder, 'work'));
    assert.deepEqual(listed.files, []);
    assert.deepEqual(
      listed.skipped?.map(({ uri, reason }) => `${relativePath(fileUri(join(folder, 'work')), uri)}: ${reason}`),
      [
        'a.yaml: it is a link that leads outside of the workspace or nowhere',
        'lost: it is a link that leads outside of the workspace or nowhere',
        'lost.yaml: it is a link that leads outside of the workspace or nowhere',
        'out: it is a link that leads outside of the workspace or nowhere',
      ],
    );
  });

  it('to an ignore file is not followed, as in git, and a pipe in its place does not block', async () => {
    const folder = makeFolder({
      '.git/HEAD': '',
      rules: '*.yaml\n',
      '.gitignore': '-> rules',
      '.gitattributes': '-> /dev/stdin',
      'a.yaml': '',
      'x/b.yaml': '',
    });
    execFileSync('mkfifo', [join(folder, 'x/.gitignore')]);
    const listed = await list(folder);
    assert.deepEqual(shown(folder, listed), ['a.yaml', 'x/b.yaml']);
    assert.deepEqual(
      listed.skipped?.map(({ uri, reason }) => `${relativePath(fileUri(folder), uri)}: ${reason}`).toSorted(),
      [
        '.gitattributes: it is a link, which git does not follow',
        '.gitignore: it is a link, which git does not follow',
        'x/.gitignore: it is a named pipe, not a regular file',
      ],
    );
    assert.deepEqual(shown(folder, await list(folder, 'x')), ['x/b.yaml']);
  });

  it("to git's own exclude file must stay in the repository", async () => {
    const inside = { '.git/info/exclude': '-> ../exclude', '.git/exclude': 'b.yaml\n', 'a.yaml': '', 'b.yaml': '' };
    assert.deepEqual(await names(inside), ['a.yaml']);
    const outside = {
      exclude: 'b.yaml\n',
      'w/.git/info/exclude': '-> ../../../exclude',
      'w/a.yaml': '',
      'w/b.yaml': '',
    };
    assert.deepEqual(
      await names(outside, 'w'),
      ['w/a.yaml', 'w/b.yaml'].map((each) => each.slice(2)),
    );
  });

  it('may be cyclic', async () => {
    const files = {
      '.git/HEAD': '',
      'apps/a.yaml': '',
      'apps/self': '-> .',
      'apps/up': '-> ..',
      'apps/x': '-> y',
      'apps/y': '-> x',
      'other/b.yaml': '',
      'other/back': '-> ../apps',
    };
    assert.deepEqual(await names(files, 'apps'), ['a.yaml', 'up/other/b.yaml']);
  });

  it('may be the opened folder: its content has the name by which it was opened', async () => {
    assert.deepEqual(await names({ 'real/a.yaml': '', 'real/b.yaml': '-> a.yaml', opened: '-> real' }, 'opened'), [
      'a.yaml',
    ]);
  });
});

async function names(files: Readonly<Record<string, string>>, inside = ''): Promise<readonly string[]> {
  const folder = makeFolder(files);
  return shown(join(folder, inside), await list(folder, inside));
}

function list(folder: string, inside = '', limit = 1000): Promise<Listed> {
  const path = join(folder, inside);
  const filter = new FolderFilter(fileUri(path), { include: [], exclude: [] });
  return listFolder(path, fileUri(path), limit, filter, new Bounds());
}

function shown(folder: string, listed: Listed): readonly string[] {
  return listed.files.map((uri) => relativePath(fileUri(folder), uri));
}
