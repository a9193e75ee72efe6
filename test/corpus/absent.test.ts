/** Was there a corpus? Where it is not at hand, one line says that the tests over it did not run. */
import assert from 'node:assert/strict';
import { isAtHand, sources } from './corpus.ts';

describe('the corpus', () => {
  if (isAtHand) it('holds sources', () => assert.ok(sources().length > 0));
  else it('is not at hand in ../shared/corpus: the tests over it did not run', () => assert.ok(!isAtHand));
});
