/** Which files of a folder on disk are read, and which are named as skipped? */

import assert from 'node:assert/strict';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileUri } from '../../server/src/node/disk-files.ts';
import { listFolder } from '../../server/src/node/list-folder.ts';
import { FolderFilter, Folders } from '../../server/src/workspace/ignore-filter.ts';
import type { Listed } from '../../server/src/workspace/load.ts';
import { relativePath } from '../../server/src/workspace/uri.ts';
import { makeFolder, removeFolders } from './folders.ts';

describe('a folder on disk', () => {
  afterEach(removeFolders);

  it('is listed with all folders in it, by name', async () => {
    const files = { 'b.yaml': '', 'a b.yml': '', 'x/ä.json': '', 'x/y/Kustomization': '', 'x/notes.txt': '' };
    assert.deepEqual(await names(files), ['a b.yml', 'b.yaml', 'x/ä.json', 'x/y/Kustomization']);
  });

  it('is listed as far as the limit goes, and says that there is more', async () => {
    const folder = makeFolder({ 'a.yaml': '', 'b.yaml': '', 'x/c.yaml': '' });
    const listed = await list(folder, '', 2);
    assert.deepEqual(shown(folder, listed), ['a.yaml', 'b.yaml']);
    assert.equal(listed.more, true);
    assert.equal((await list(folder, '', 3)).more, false);
  });

  it('leaves out what its ignore files say, in nested folders as well', async () => {
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

  it('heeds the ignore files above it, up to the root of the repository', async () => {
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

  it('is read although it is ignored itself, where it was opened or named', async () => {
    const files = { '.git/HEAD': '', '.gitignore': 'out/', 'out/a.yaml': '' };
    assert.deepEqual(await names(files), []);
    assert.deepEqual(await names(files, 'out'), ['a.yaml']);
  });

  it('is skipped with the reason where it cannot be read, and the rest goes on', async () => {
    const folder = makeFolder({ 'a.yaml': '', 'closed/b.yaml': '', 'x/c.yaml': '' });
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const read = (path: string): Promise<Dirent[]> =>
      path.endsWith('closed') ? Promise.reject(denied) : readdir(path, { withFileTypes: true });
    const filter = new FolderFilter(fileUri(folder), { include: [], exclude: [] });
    const listed = await listFolder(folder, fileUri(folder), 100, filter, read);
    assert.deepEqual(shown(folder, listed), ['a.yaml', 'x/c.yaml']);
    assert.deepEqual(listed.skipped, [
      { uri: fileUri(join(folder, 'closed')), reason: 'it could not be read (EACCES)' },
    ]);
  });

  it('is skipped where it does not exist', async () => {
    const folder = makeFolder({});
    const listed = await list(join(folder, 'gone'));
    assert.deepEqual(listed.files, []);
    assert.deepEqual(
      listed.skipped?.map(({ reason }) => reason),
      ['it could not be read (ENOENT)'],
    );
  });

  it('may lie below the one that was opened: made, or moved there', async () => {
    const folder = makeFolder({ '.gitignore': '*.json', 'x/y/a.yaml': '', 'x/y/a.json': '', 'x/b.yaml': '' });
    const uri = fileUri(folder);
    const filter = new FolderFilter(uri, { include: [], exclude: [] });
    filter.learn('', ['*.json']);
    const below = async (path: string) =>
      shown(folder, await listFolder(join(folder, path), fileUri(join(folder, path)), 100, filter));
    assert.deepEqual(await below('x/y'), ['x/y/a.yaml']);
    assert.deepEqual(await below('x/b.yaml'), []);
    assert.deepEqual(await below('gone'), []);
  });
});

describe('a link', () => {
  afterEach(removeFolders);

  it('to something in the folder is no second name of it', async () => {
    const folder = makeFolder({ 'base/a.yaml': '', 'b.yaml': '-> base/a.yaml', overlay: '-> base' });
    const listed = await list(folder);
    assert.deepEqual(shown(folder, listed), ['base/a.yaml']);
    const folders = new Folders([new FolderFilter(fileUri(folder), { include: [], exclude: [] })], listed.links);
    assert.equal(folders.nameOf(fileUri(join(folder, 'b.yaml'))), fileUri(join(folder, 'base/a.yaml')));
    assert.equal(folders.nameOf(fileUri(join(folder, 'overlay/a.yaml'))), fileUri(join(folder, 'base/a.yaml')));
  });

  it('to something else of the repository is read under its name, and once', async () => {
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

  it('to a file whose name is not that of a manifest is read by its own', async () => {
    assert.deepEqual(await names({ 'data/text': '', 'a.yaml': '-> data/text' }), ['a.yaml']);
  });

  it('that leads outside of the repository is skipped, and so is one that leads nowhere', async () => {
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
        'a.yaml: it is a link that leads outside of the workspace',
        'lost.yaml: it is a link that leads nowhere',
        'out: it is a link that leads outside of the workspace',
      ],
    );
  });

  it('may lead in a circle', async () => {
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

  it('may be the folder that was opened: what is in it has the name that it was opened by', async () => {
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
  return listFolder(path, fileUri(path), limit, new FolderFilter(fileUri(path), { include: [], exclude: [] }));
}

function shown(folder: string, listed: Listed): readonly string[] {
  return listed.files.map((uri) => relativePath(fileUri(folder), uri));
}
