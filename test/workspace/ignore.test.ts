/** Tests the rules of git's ignore files. The expectations are the output of `git check-ignore`. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type IgnoreList, isIgnored, readIgnoreFile } from '../../server/src/workspace/ignore/gitignore.ts';

/**
 * The ignore file, then paths; a trailing slash marks a folder, a leading `!` a path that is not ignored, a leading
 * `\\` one that is.
 */
const cases: readonly (readonly [file: string, ...paths: string[]])[] = [
  ['*.json', 'a.json', 'x/y.json', '!a.yaml'],
  ['/a.yaml', 'a.yaml', '!x/a.yaml'],
  ['x/a.yaml', 'x/a.yaml', '!y/x/a.yaml'],
  ['build/', 'build/', 'x/build/', 'build/a.yaml', '!build', '!x/build'],
  ['a/**', 'a/b', 'a/b/c', '!a', '!b/a/c'],
  ['**/a', 'a', 'x/a', 'x/y/a', '!xa'],
  ['a/**/b', 'a/b', 'a/x/b', 'a/x/y/b', '!a/bb', '!b'],
  ['a*c?e', 'abcde', 'acxe', '!ace', '!a/cde'],
  ['*', 'a', 'a/b'],
  ['[ab]x[!0-9]', 'axz', 'bxa', '!cxa', '!ax1'],
  ['[^a]', 'b', '!a'],
  ['[]a]', ']', 'a', '!b'],
  ['[[:digit:]][[:upper:]]', '1A', '!1a', '!AA'],
  ['[a-', '!a', '![a-'],
  ['a\\*b', 'a*b', '!axb'],
  ['\\!a', '\\!a', '!a'],
  ['#a\n\\#b', '#b', '!#a'],
  ['a   ', 'a', '!a   '],
  ['a\\ ', 'a ', '!a'],
  ['a\r\nb\r\n', 'a', 'b'],
  ['\uFEFFa', 'a'],
  ['\n\n/\n!\n', '!a', '!a/b'],
  ['{a,b}', '{a,b}', '!a', '!b'],
  ['*.yaml\n!keep.yaml', 'a.yaml', '!keep.yaml', '!x/keep.yaml'],
  ['!a\na', 'a'],
  ['a/\n!a/keep.yaml', 'a/keep.yaml'],
  ['a/*\n!a/keep.yaml', 'a/b', '!a/keep.yaml'],
  ['foo\\', '!foo', '!foo\\'],
  ['/*\n!/apps/', 'x.yaml', 'other/', '!apps/', '!apps/x.yaml'],
];

describe('an ignore file', () => {
  for (const [file, ...paths] of cases) {
    it(JSON.stringify(file), () => {
      const list = readIgnoreFile(file, '', undefined);
      for (const path of paths) {
        const spared = path.startsWith('!');
        const asked = path.replace(/^[!\\]/, '');
        assert.equal(ignores(list, asked), !spared, asked);
      }
    });
  }

  it('applies below its folder only, before those above', () => {
    const top = readIgnoreFile('*.yaml\n/only-here.json\nx/', '', undefined);
    const below = readIgnoreFile('!a.yaml\n/b.json', 'apps/shop', top);
    assert.deepEqual(
      [
        'apps/shop/a.yaml',
        'apps/shop/c.yaml',
        'apps/shop/b.json',
        'apps/shop/y/b.json',
        'apps/shop/only-here.json',
      ].map((path) => isIgnored(below, path, false)),
      [false, true, true, false, false],
    );
  });

  it('takes time proportional to its length times that of the path', () => {
    const list = readIgnoreFile(`${'a*'.repeat(2000)}b\n${'**/a/'.repeat(500)}b\n`, '', undefined);
    assert.equal(isIgnored(list, 'a'.repeat(4000), false), false);
    assert.equal(isIgnored(list, Array(2000).fill('a').join('/'), false), false);
  });

  it('may contain anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab*?[]!^-\\/{},.#: \r\n') }), fc.string(), (file, path) => {
        isIgnored(readIgnoreFile(file, '', undefined), path, true);
      }),
    );
  });
});

/** Checks the parent folders first, as git does. */
function ignores(list: IgnoreList, path: string): boolean {
  const isFolder = path.endsWith('/');
  const parts = path.replace(/\/$/, '').split('/');
  return parts.some((_, index) => {
    const last = index === parts.length - 1;
    return isIgnored(list, parts.slice(0, index + 1).join('/'), !last || isFolder);
  });
}
