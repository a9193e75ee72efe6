/** Tests the texts that the pattern in the target of a patch matches. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { matcherOf } from '../../server/src/manifests/go-pattern.ts';

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
    ['(?i)web', 'WEB', true],
    ['(?P<name>a)\\b.[[:digit:]]\\x41\\Q.*\\E', 'a-1A.*', true],
    ['(a{10}){100}', 'a'.repeat(1_000), true],
    ['a(', 'a', undefined],
    ['a**', 'a', undefined],
    ['(?=a)', 'a', undefined],
    ['a{1001}', 'a', undefined],
    ['((a{10}){10}){100}', 'a', undefined],
    ['\\pL', 'a', undefined],
  ];
  for (const [pattern, text, matches] of cases) {
    it(`${JSON.stringify(pattern)} ${matches === undefined ? 'is not read' : `${matches ? 'matches' : 'does not match'} ${text}`}`, () => {
      assert.equal(matcherOf(pattern)?.(text), matches);
    });
  }

  it('matches what RE2 matches, and is parsed if RE2 parses it', () => {
    const parts =
      String.raw`a b A k - . ^ $ * + ? {2} {0,1} {1,} {01} { } | ( ) (?i) (?-i) (?m) (?s: (?i: (?: (?P<n> [ [^ ] 1
      \d \D \w \W \s \S \b \B \A \z \Z [:alpha:] [[:^upper:]] [:foo:] [a-c] [^a-\x63] [b-a]
      \x41 \x{62} \101 \1 \n \. \_ \é é \Q \E \C ,`.split(/\s+/);
    const patterns = fc.oneof(
      fc.array(fc.constantFrom(...parts, '\n'), { maxLength: 8 }).map((some) => some.join('')),
      fc.string({ maxLength: 6 }),
    );
    const texts = fc.string({ unit: fc.constantFrom(...'abcABkKsS-.1 \néÉ_α\\'), maxLength: 4 });
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 4 }), (pattern, some) => {
        if (/\(\?[a-zA-Z-]*\)[*+?{]/.test(pattern)) return; // a repetition that follows flags
        if (/\\p/i.test(pattern)) return; // a Unicode class
        const oracle = re2(pattern);
        const matches = matcherOf(pattern);
        assert.equal(matches === undefined, oracle === undefined);
        for (const text of some) assert.equal(matches?.(text), oracle?.(text), JSON.stringify(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes time proportional to the text', () => {
    const matches = matcherOf('(a*)*(a|aa)+b');
    assert.equal(matches?.('a'.repeat(5_000)), false);
  });
});

function re2(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matches(text);
  } catch {
    return undefined;
  }
}
