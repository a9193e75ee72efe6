/** Tests the globs of Go programs and git, with what each of them matches. */

import assert from 'node:assert/strict';
import { doublestarMatcher, gobwasMatcher, pathMatcher, pathspecMatcher } from '../../server/src/text/go-glob.ts';

const paths = ['a.yaml', 'b.yaml', 'x/a.yaml', 'x/y/a.yaml', 'x/[z].yaml'];

function matched(matches: ((path: string) => boolean) | undefined): string {
  return matches === undefined ? 'malformed' : paths.filter(matches).join(' ');
}

describe('a glob', () => {
  it('of gobwas crosses folders, and has alternatives and classes', () => {
    assert.equal(matched(gobwasMatcher('*a.yaml')), 'a.yaml x/a.yaml x/y/a.yaml');
    assert.equal(matched(gobwasMatcher('{b,x/?}*')), 'b.yaml x/a.yaml x/y/a.yaml x/[z].yaml');
    assert.equal(matched(gobwasMatcher('[!b].yaml')), 'a.yaml');
    assert.equal(matched(gobwasMatcher('[')), 'malformed');
  });

  it('of path.Match stays in one folder', () => {
    assert.equal(matched(pathMatcher('*')), 'a.yaml b.yaml');
    assert.equal(matched(pathMatcher('x/*')), 'x/a.yaml x/[z].yaml');
    assert.equal(matched(pathMatcher('**')), 'a.yaml b.yaml');
    assert.equal(matched(pathMatcher('[a-b].yaml')), 'a.yaml b.yaml');
    assert.equal(matched(pathMatcher('[^a].yaml')), 'b.yaml');
    assert.equal(matched(pathMatcher('x/\\[z].yaml')), 'x/[z].yaml');
    assert.equal(matched(pathMatcher('a\\')), 'malformed');
  });

  it('of git crosses folders, and names folders with their content', () => {
    assert.equal(matched(pathspecMatcher('x/*a.yaml')), 'x/a.yaml x/y/a.yaml');
    assert.equal(matched(pathspecMatcher('x/**/a.yaml')), 'x/y/a.yaml');
    assert.equal(matched(pathspecMatcher('x/y/')), 'x/y/a.yaml');
    assert.equal(matched(pathspecMatcher('{a,b}.yaml')), '');
  });

  it('of doublestar crosses folders with two stars only', () => {
    assert.equal(matched(doublestarMatcher('**/a.yaml')), 'a.yaml x/a.yaml x/y/a.yaml');
    assert.equal(matched(doublestarMatcher('x/*.yaml')), 'x/a.yaml x/[z].yaml');
    assert.equal(matched(doublestarMatcher('{a,b}.yaml')), 'a.yaml b.yaml');
  });

  it('may match nothing with two stars at its ends', () => {
    const matches = (pattern: string, path: string) => doublestarMatcher(pattern)?.(path);
    assert.equal(matches('x/**', 'x'), true);
    assert.equal(matches('x/**', 'xy'), false);
    assert.equal(matches('**/y/a.yaml', 'y/a.yaml'), true);
    assert.equal(matches('x/**/a.yaml', 'x/a.yaml'), true);
    assert.equal(matches('x/**/a.yaml', 'x/ya.yaml'), false);
  });

  it('that is too long is not evaluated', () => {
    const long = '*a'.repeat(300);
    for (const matcher of [gobwasMatcher, pathMatcher, pathspecMatcher, doublestarMatcher])
      assert.equal(matcher(long), undefined);
  });
});
