/** Which texts does the pattern in the target of a patch match? */
import assert from 'node:assert/strict';
import { matcherOf } from '../../server/src/workspace/kustomize/go-pattern.ts';

describe('the pattern of a target', () => {
  const cases: readonly (readonly [pattern: string, text: string, matches: boolean | undefined])[] = [
    ['web', 'web', true],
    ['web', 'web-1', false],
    ['web.*', 'web-1', true],
    ['(web|api)-[0-9]+', 'api-12', true],
    ['(web|api)-[0-9]+', 'api-', false],
    ['^web$', 'web', true],
    ['w{2,3}', 'www', true],
    ['w{2,3}', 'wwww', false],
    ['a?b*c+', 'cc', true],
    ['\\w+\\.example', 'a.example', true],
    ['[^a-c]', 'b', false],
    ['(?i)web', 'web', undefined],
    ['a(', 'a', undefined],
  ];
  for (const [pattern, text, matches] of cases) {
    it(`${JSON.stringify(pattern)} ${matches === undefined ? 'is not read' : `${matches ? 'matches' : 'does not match'} ${text}`}`, () => {
      assert.equal(matcherOf(pattern)?.(text), matches);
    });
  }

  it('costs time in proportion to the text', () => {
    const matches = matcherOf('(a*)*(a|aa)+b');
    assert.equal(matches?.('a'.repeat(5_000)), false);
  });
});
