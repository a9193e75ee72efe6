/** Tests which files of a folder belong to the workspace. */

import assert from 'node:assert/strict';
import { FolderFilter, Folders } from '../../server/src/workspace/ignore/folder-filter.ts';

const folder = 'file:///work';
const all = { include: [], exclude: [] };

describe('the filter of a folder', () => {
  it('accepts files that may be manifests by their names', () => {
    const filter = new FolderFilter(folder, all);
    const paths = ['a.yaml', 'x/a.yml', 'x/y/a.json', 'Kustomization', 'a.txt', 'yaml', '.gitignore', 'x/a.yaml.tmpl'];
    assert.deepEqual(
      paths.filter((path) => filter.acceptsPath(path)),
      ['a.yaml', 'x/a.yml', 'x/y/a.json', 'Kustomization'],
    );
  });

  it('enters no folder of tools', () => {
    const filter = new FolderFilter(folder, all);
    assert.deepEqual(
      ['.git/a.yaml', 'x/node_modules/y/a.yaml', 'x/.terraform/a.json', 'node_modules.yaml'].filter((path) =>
        filter.acceptsPath(path),
      ),
      ['node_modules.yaml'],
    );
  });

  it('reads only what the user includes', () => {
    const filter = new FolderFilter(folder, { include: ['apps', '**/*.k8s.yaml'], exclude: [] });
    assert.deepEqual(
      ['apps/a.yaml', 'apps/x/b.json', 'other/a.yaml', 'other/a.k8s.yaml', 'xapps/a.yaml'].filter((path) =>
        filter.acceptsPath(path),
      ),
      ['apps/a.yaml', 'apps/x/b.json', 'other/a.k8s.yaml'],
    );
  });

  it('leaves out what the user excludes, a folder with all that is in it', () => {
    const filter = new FolderFilter(folder, { include: [], exclude: ['**/test', '*.json', 'a/**'] });
    assert.deepEqual(
      ['x/test/y/a.yaml', 'a.json', 'x/a.json', 'a/b/c.yaml', 'test.yaml'].filter((path) => filter.acceptsPath(path)),
      ['x/a.json', 'test.yaml'],
    );
  });

  it('applies the given ignore files, each in its folder', () => {
    const filter = new FolderFilter(folder, all);
    filter.learn('', ['out/\n*.gen.yaml']);
    filter.learn('apps', ['!keep.gen.yaml\n/local.yaml']);
    assert.deepEqual(
      [
        'out/a.yaml',
        'x/out/a.yaml',
        'a.gen.yaml',
        'keep.gen.yaml',
        'apps/a.gen.yaml',
        'apps/keep.gen.yaml',
        'apps/local.yaml',
        'apps/x/local.yaml',
      ].filter((path) => filter.acceptsPath(path)),
      ['apps/keep.gen.yaml', 'apps/x/local.yaml'],
    );
  });

  it('applies none of them in a nested repository', () => {
    const filter = new FolderFilter(folder, all);
    filter.learn('', ['*.json']);
    filter.learn('vendor/lib', ['a.yaml'], true);
    assert.deepEqual(
      ['vendor/a.json', 'vendor/lib/a.json', 'vendor/lib/x/b.json', 'vendor/lib/a.yaml'].filter((path) =>
        filter.acceptsPath(path),
      ),
      ['vendor/lib/a.json', 'vendor/lib/x/b.json'],
    );
  });

  it('applies those above it, relative to their folders', () => {
    const filter = new FolderFilter(folder, all);
    filter.learnAbove('services/shop', [
      { folder: '', text: '/services/shop/out\n*.json' },
      { folder: 'services', text: '/shop/b.yaml\n!a.json' },
    ]);
    filter.learn('', ['!c.json']);
    assert.deepEqual(
      ['out/a.yaml', 'x/out/a.yaml', 'a.json', 'b.yaml', 'b.json', 'c.json'].filter((path) => filter.acceptsPath(path)),
      ['x/out/a.yaml', 'a.json', 'c.json'],
    );
  });

  it('does not apply those above that ignore the whole folder, since it was opened', () => {
    const filter = new FolderFilter(folder, all);
    filter.learnAbove('out/rendered', [{ folder: '', text: 'out/\n*.json' }]);
    assert.equal(filter.acceptsPath('a.json'), true);
  });
});

describe('the folders of a workspace', () => {
  it('accept what one of them accepts, and exclude what all that contain it exclude', () => {
    const outer = new FolderFilter(folder, all);
    outer.learn('', ['inner/\n*.json']);
    const folders = new Folders([outer, new FolderFilter(`${folder}/inner`, all)]);
    assert.equal(folders.takes(`${folder}/inner/a.yaml`), true);
    assert.equal(folders.leavesOut(`${folder}/inner/a.yaml`), false);
    assert.equal(folders.leavesOut(`${folder}/a.json`), true);
    assert.equal(folders.leavesOut(`${folder}/notes.txt`), false);
    assert.equal(folders.leavesOut('file:///elsewhere/a.json'), false);
    assert.equal(folders.takes('file:///elsewhere/a.yaml'), false);
  });

  it('resolve a link to its target, if that is in one of them', () => {
    const links = new Map([
      [`${folder}/link`, `${folder}/real`],
      [`${folder}/out.yaml`, 'file:///elsewhere/out.yaml'],
    ]);
    const folders = new Folders([new FolderFilter(folder, all)], links);
    assert.equal(folders.fileNameOf(`${folder}/link/x/a.yaml`), `${folder}/real/x/a.yaml`);
    assert.equal(folders.fileNameOf(`${folder}/linked.yaml`), `${folder}/linked.yaml`);
    assert.equal(folders.fileNameOf(`${folder}/out.yaml`), `${folder}/out.yaml`);
  });
});
