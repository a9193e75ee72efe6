/** Tests which results of a function are cached. */
import assert from 'node:assert/strict';
import { lastAnswers } from '../../server/src/engine/last-result.ts';

describe('the last answers', () => {
  it('are cached up to a size, and two of any size', () => {
    const made: string[] = [];
    const answer = lastAnswers(
      (input) => {
        made.push(input);
        return input.toUpperCase();
      },
      ({ length }) => length,
      10,
    );
    const requested = (inputs: readonly string[]) => {
      made.length = 0;
      for (const input of inputs) assert.equal(answer(input), input.toUpperCase());
      return made.join(' ');
    };
    assert.equal(requested(['a', 'bb', 'ccc', 'a', 'bb', 'ccc']), 'a bb ccc');
    assert.equal(requested(['dddd', 'a', 'eee']), 'dddd eee');
    assert.equal(requested(['a', 'dddd', 'eee', 'bb']), 'bb');
    const long = 'x'.repeat(50);
    const other = 'y'.repeat(50);
    assert.equal(requested([long, other, long, other, 'bb']), `${long} ${other} bb`);
    assert.equal(requested([other, long]), long);
  });
});
