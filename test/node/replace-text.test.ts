/**
 * Tests of replacing the text of a file: completely or not at all, in its encoding, and never outside of the workspace.
 */

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { Bounds } from '../../server/src/node/bounds.ts';
import { replaceText } from '../../server/src/node/replace-text.ts';
import { makeFolder, removeFolders } from './folders.ts';

describe('replacing the text of a file', () => {
  afterEach(removeFolders);

  /** A workspace with a file outside of it. */
  function workspace(files: Readonly<Record<string, string | Uint8Array>>) {
    const folder = makeFolder({ 'outside.yaml': 'old', 'work/.git/HEAD': '', ...files });
    const bounds = new Bounds();
    bounds.allow(join(folder, 'work'), join(folder, 'work'));
    return { bounds, outside: join(folder, 'outside.yaml'), inWork: (name: string) => join(folder, 'work', name) };
  }

  it('preserves its permissions, and leaves no other file', async () => {
    const { bounds, inWork } = workspace({ 'work/a.yaml': 'old' });
    chmodSync(inWork('a.yaml'), 0o640);
    assert.equal(await replaceText(bounds, inWork('a.yaml'), 'old', 'new'), undefined);
    assert.equal(readFileSync(inWork('a.yaml'), 'utf8'), 'new');
    assert.equal(statSync(inWork('a.yaml')).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(inWork('')), ['.git', 'a.yaml']);
  });

  it('preserves links to it, also hard links', async () => {
    const { bounds, inWork } = workspace({ 'work/a.yaml': 'old', 'work/soft.yaml': '-> a.yaml' });
    assert.equal(await replaceText(bounds, inWork('soft.yaml'), 'old', 'new'), undefined);
    assert.ok(lstatSync(inWork('soft.yaml')).isSymbolicLink());
    linkSync(inWork('a.yaml'), inWork('hard.yaml'));
    assert.equal(await replaceText(bounds, inWork('a.yaml'), 'new', 'newer'), undefined);
    assert.deepEqual(
      ['a', 'soft', 'hard'].map((name) => readFileSync(inWork(`${name}.yaml`), 'utf8')),
      ['newer', 'newer', 'newer'],
    );
  });

  it('follows no link outside, not even for a named file', async () => {
    const { bounds, inWork, outside } = workspace({ 'work/a.yaml': '-> ../outside.yaml', 'work/up': '-> ..' });
    for (const name of ['a.yaml', 'up/outside.yaml']) {
      bounds.name(inWork(name));
      const refused = await replaceText(bounds, inWork(name), 'old', 'new');
      assert.equal(refused, 'it is a link that leads outside of the workspace or nowhere');
    }
    assert.equal(readFileSync(outside, 'utf8'), 'old');
  });

  it('creates a file, but neither over another one, nor by a link, nor outside', async () => {
    const { bounds, inWork, outside } = workspace({ 'work/a.yaml': 'old', 'work/up': '-> ..' });
    symlinkSync('gone.yaml', inWork('lost.yaml'));
    assert.equal(await replaceText(bounds, inWork('new.yaml'), undefined, 'new'), undefined);
    assert.equal(readFileSync(inWork('new.yaml'), 'utf8'), 'new');
    assert.match((await replaceText(bounds, inWork('a.yaml'), undefined, 'new')) ?? '', /^it is there already/);
    assert.match((await replaceText(bounds, inWork('lost.yaml'), undefined, 'new')) ?? '', /^it is there already/);
    const above = await replaceText(bounds, inWork('up/new.yaml'), undefined, 'new');
    assert.equal(above, 'it is a link that leads outside of the workspace or nowhere');
    assert.ok(!existsSync(inWork('gone.yaml')) && !existsSync(join(outside, '../new.yaml')));
    assert.deepEqual(readdirSync(inWork('')).toSorted(), ['.git', 'a.yaml', 'lost.yaml', 'new.yaml', 'up']);
  });

  it('rejects a file with another text, and a folder', async () => {
    const { bounds, inWork } = workspace({ 'work/a.yaml': 'other' });
    mkdirSync(inWork('folder'));
    assert.equal(await replaceText(bounds, inWork('a.yaml'), 'old', 'new'), 'it has changed in the meantime');
    assert.equal(await replaceText(bounds, inWork('folder'), 'old', 'new'), 'it is a folder (EISDIR)');
  });

  it('preserves the encoding', async () => {
    const little = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
    const files = {
      'work/le.yaml': little('ä: old'),
      'work/be.yaml': little('ä: old').swap16(),
      'work/utf8.yaml': '\uFEFFä: old',
    };
    const { bounds, inWork } = workspace(files);
    for (const name of ['le', 'be', 'utf8'])
      assert.equal(await replaceText(bounds, inWork(`${name}.yaml`), 'ä: old', 'ä: new'), undefined);
    assert.deepEqual(readFileSync(inWork('le.yaml')), little('ä: new'));
    assert.deepEqual(readFileSync(inWork('be.yaml')), little('ä: new').swap16());
    assert.equal(readFileSync(inWork('utf8.yaml'), 'utf8'), '\uFEFFä: new');
  });
});
