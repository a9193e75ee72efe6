/** The index of similar names finds the same names as a comparison of all pairs. */

import assert from 'node:assert/strict';
import { editDistance } from '../../server/src/text/edit-distance.ts';
import { haveSimilarLetters, misspelling, slightDifference } from '../../server/src/text/misspelling.ts';
import { SimilarNames } from '../../server/src/text/similar-names.ts';
import { campaignRuns } from '../campaigns/scale.ts';

/** Returns a generator of pseudo-random numbers below a limit. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const isAlike = (wanted: string, name: string) =>
  misspelling(wanted, name) !== undefined || slightDifference(wanted, name) !== undefined;

describe('An index of similar names', () => {
  it('finds the same names as a comparison of all pairs', () => {
    let similar = 0;
    for (let seed = 1; seed <= campaignRuns(500); seed++) {
      const next = random(seed);
      const alphabet = ['ab', 'abc-', 'aAbc-._1', 'abcdefghij-2s'][next(4)] ?? '';
      const parts = Array.from({ length: 4 }, () => wordOf(next, alphabet, 6));
      const names = Array.from({ length: 60 }, () => {
        const name = Array.from({ length: 1 + next(3) }, () => parts[next(4)]).join('-');
        return next(4) === 0 ? name : changed(next, name, alphabet);
      });
      const index = new SimilarNames(names);
      for (const wanted of [...names, wordOf(next, alphabet, 8), '']) {
        const expected = [...new Set(names)].filter((name) => isAlike(wanted, name));
        const found = index.near(wanted).filter((name) => isAlike(wanted, name));
        assert.deepEqual(found.toSorted(), expected.toSorted(), `${wanted} in ${names.join(' ')}`);
        assert.ok(expected.every((name) => haveSimilarLetters(wanted, name)));
        const isNear = (most: number) => (name: string) => editDistance(wanted, name, most) <= most;
        const variants = new Set(index.nearOrVariants(wanted));
        assert.ok([...names.filter(isNear(1)), ...expected].every((name) => name === wanted || variants.has(name)));
        const within = new Set(index.within(wanted));
        assert.ok(names.filter(isNear(2)).every((name) => within.has(name)));
        similar += found.length;
      }
    }
    assert.ok(similar > 200);
  });

  it('is not needed for most pairs, whose letters differ', () => {
    const next = random(3);
    const names = Array.from({ length: 300 }, () => word(next));
    const pairs = names.flatMap((one) => names.filter((other) => haveSimilarLetters(one, other)));
    assert.ok(pairs.length < names.length ** 2 / 5, `${pairs.length}`);
  });

  it('finds few of many names', () => {
    const next = random(7);
    const names = Array.from({ length: 5_000 }, () => `payments-service-${word(next)}-config`);
    const index = new SimilarNames(names);
    const found = names.map((name) => index.near(name.replace('service', 'servcie')).length);
    assert.ok(found.every((count) => count >= 1));
    assert.ok(found.reduce((sum, count) => sum + count, 0) < 20_000);
  });

  it('ignores names that are too long for Kubernetes', () => {
    const long = 'a'.repeat(300);
    assert.deepEqual(new SimilarNames([long, 'b']).near(`${long}b`), []);
    assert.deepEqual(new SimilarNames([long]).near('a'.repeat(253)), []);
    assert.deepEqual(new SimilarNames(['a'.repeat(253)]).near('a'.repeat(252)), ['a'.repeat(253)]);
  });
});

const letters = 'abcdefghijklmnop';
const word = (next: (limit: number) => number) => Array.from({ length: 10 }, () => letters[next(16)]).join('');

function wordOf(next: (limit: number) => number, alphabet: string, length: number): string {
  return Array.from({ length: 1 + next(length) }, () => alphabet[next(alphabet.length)]).join('');
}

/** Returns a name with one to three random changes. */
function changed(next: (limit: number) => number, name: string, alphabet: string): string {
  let result = name;
  for (let count = 1 + next(3); count > 0; count--) {
    const at = next(result.length + 1);
    const letter = alphabet[next(alphabet.length)] ?? '';
    const rest = result.slice(at);
    const rests = [
      letter + rest,
      rest.slice(1),
      letter + rest.slice(1),
      `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`,
    ];
    result = result.slice(0, at) + (rests[next(4)] ?? '');
  }
  return result;
}
