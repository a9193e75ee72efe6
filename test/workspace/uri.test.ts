/** Tests that every file has one canonical URI, and the resolution of paths. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  canonicalUri,
  distanceFrom,
  fileNameOf,
  folderOf,
  isWithin,
  relativePath,
  resolveUri,
} from '../../server/src/workspace/uri.ts';

describe('canonical URIs', () => {
  for (const [uri, canonical] of [
    ['file:///a/b.yaml', 'file:///a/b.yaml'],
    ['file:///a/b%20c.yaml', 'file:///a/b%20c.yaml'],
    ['file:///a/b c.yaml', 'file:///a/b%20c.yaml'],
    ['file:///a/%62.yaml', 'file:///a/b.yaml'],
    ['file:///a/%c3%a9.yaml', 'file:///a/%C3%A9.yaml'],
    ['file:///a/é.yaml', 'file:///a/%C3%A9.yaml'],
    ['file:///a/100%.yaml', 'file:///a/100%25.yaml'],
    ['file:///a/%23%3F.yaml', 'file:///a/%23%3F.yaml'],
    ['file:///a/b.yaml?x#y', 'file:///a/b.yaml'],
    ['git:/a/b.yaml?x/y', 'git:///a/b.yaml?x%2Fy'],
    ['file:///C:/a.yaml', 'file:///c%3A/a.yaml'],
    ['file:///c%3A/a.yaml', 'file:///c%3A/a.yaml'],
    ['file:///C%3a/a.yaml', 'file:///c%3A/a.yaml'],
    ['file:///a/./b/../c.yaml', 'file:///a/c.yaml'],
    ['file:///../../a.yaml', 'file:///a.yaml'],
    ['file:///a//b.yaml', 'file:///a/b.yaml'],
    ['file:/a/b.yaml', 'file:///a/b.yaml'],
    ['FILE:///a/b.yaml', 'file:///a/b.yaml'],
    ['file://server/share/a.yaml', 'file://server/share/a.yaml'],
    ['vscode-vfs://github/org/repo/a.yaml', 'vscode-vfs://github/org/repo/a.yaml'],
    ['untitled:Untitled-1', 'untitled:Untitled-1'],
    ['no uri', 'no uri'],
  ] as const) {
    it(`${uri} is ${canonical}`, () => {
      assert.equal(canonicalUri(uri), canonical);
      assert.equal(canonicalUri(canonical), canonical);
    });
  }

  it('are unchanged when they are made canonical again', () => {
    const part = fc.constantFrom(
      'a',
      'B',
      '.',
      '..',
      '/',
      '//',
      '%',
      '%2F',
      '%41',
      ' ',
      'é',
      ':',
      'C:',
      '#',
      '?',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const canonical = canonicalUri(`file:///${parts.join('')}`);
        assert.equal(canonicalUri(canonical), canonical);
      }),
    );
  });
});

describe('paths', () => {
  for (const [folder, path, uri] of [
    ['file:///a/b', 'c.yaml', 'file:///a/b/c.yaml'],
    ['file:///a/b', './c.yaml', 'file:///a/b/c.yaml'],
    ['file:///a/b', '../c', 'file:///a/c'],
    ['file:///a/b', '../c/', 'file:///a/c'],
    ['file:///a/b', '../../../../c', 'file:///c'],
    ['file:///a/b', 'with space.yaml', 'file:///a/b/with%20space.yaml'],
    ['file:///a/b%20c', '../d', 'file:///a/d'],
    ['file:///a', '.', 'file:///a'],
  ] as const) {
    it(`${path} in ${folder} is ${uri}`, () => assert.equal(resolveUri(folder, path), uri));
  }

  for (const [folder, uri, path] of [
    ['file:///a', 'file:///a/b.yaml', 'b.yaml'],
    ['file:///a/b', 'file:///a/c/d%20e.yaml', '../c/d e.yaml'],
    ['file:///a/b/c', 'file:///d.yaml', '../../../d.yaml'],
    ['file:///a', 'untitled:Untitled-1', 'Untitled-1'],
    ['file:///a', 'vscode-vfs://github/org/a.yaml', '/org/a.yaml'],
  ] as const) {
    it(`${uri} from ${folder} is ${path}`, () => assert.equal(relativePath(folder, uri), path));
  }

  it('have a folder, a name and a distance', () => {
    assert.equal(folderOf('file:///a/b.yaml'), 'file:///a');
    assert.equal(fileNameOf('file:///a/b%20c.yaml'), 'b c.yaml');
    assert.equal(fileNameOf('file:///a/b%zz.yaml'), 'b%zz.yaml');
    assert.equal(isWithin('file:///a/b', 'file:///a'), true);
    assert.equal(isWithin('file:///ab', 'file:///a'), false);
    assert.equal(isWithin('file:///a', 'file:///a'), true);
    assert.equal(distanceFrom('file:///a/b.yaml')('file:///a/c.yaml'), 0);
    assert.equal(distanceFrom('file:///a/b/x.yaml')('file:///a/c/d/x.yaml'), 3);
    assert.equal(distanceFrom('file:///a/ab/x.yaml')('file:///a/ac/x.yaml'), 2);
    assert.equal(distanceFrom('file:///a/b')('file:///a/b/c.yaml'), 1);
  });
});
