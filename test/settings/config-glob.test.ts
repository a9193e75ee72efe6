/** Tests the paths that the globs of `.selector-lens.yaml` match. */

import assert from 'node:assert/strict';
import { globMatcher } from '../../server/src/text/glob.ts';

const fit: readonly (readonly [pattern: string, ...paths: string[]])[] = [
  ['apps/shop/**', 'apps/shop/a.yaml', 'apps/shop/b/c.yaml'],
  ['**/*.yaml', 'a.yaml', 'x/y/a.yaml'],
  ['**', 'a', 'a/b'],
  ['platform/*.yaml', 'platform/dns.yaml'],
  ['a?c.{yml,yaml}', 'abc.yaml', 'abc.yml'],
  ['{apps,libs}/{a,b}/*', 'apps/a/x', 'libs/b/y'],
  ['./docs/', 'docs/a.yaml', 'docs/b/c.yaml'],
  ['a/**/b/**/c', 'a/b/c', 'a/x/b/y/z/c'],
  ['*.tar.*', 'x.tar.gz'],
];

const miss: readonly (readonly [pattern: string, ...paths: string[]])[] = [
  ['apps/shop/**', 'apps/shopping/a.yaml', 'apps.yaml', 'x/apps/shop/a.yaml'],
  ['*.yaml', 'x/a.yaml', 'a.yml'],
  ['platform/*.yaml', 'platform/dns/a.yaml'],
  ['a?c', 'ac', 'abbc', 'a/c'],
  ['a/**/b', 'a/c', 'b', 'a'],
  ['a.c', 'abc'],
];

describe('globs', () => {
  for (const [pattern, ...paths] of fit) {
    it(`'${pattern}' matches ${paths.join(', ')}`, () => {
      assert.deepEqual(paths.filter(globMatcher([pattern])), paths);
    });
  }
  for (const [pattern, ...paths] of miss) {
    it(`'${pattern}' does not match ${paths.join(', ')}`, () => {
      assert.deepEqual(paths.filter(globMatcher([pattern])), []);
    });
  }

  it('match what any of several patterns matches, and nothing without patterns', () => {
    assert.deepEqual(['a', 'b', 'c'].filter(globMatcher(['a', 'c'])), ['a', 'c']);
    assert.deepEqual(['a'].filter(globMatcher([])), []);
  });

  it('match hostile patterns in bounded time', () => {
    const stars = `${'**/'.repeat(500)}x`;
    assert.equal(globMatcher([stars])(`${'a/'.repeat(500)}y`), false);
    assert.equal(globMatcher([`${'*a'.repeat(500)}b`])('a'.repeat(2000)), false);
    assert.equal(globMatcher(['{a,b}'.repeat(60)])('c'), false);
  });
});
