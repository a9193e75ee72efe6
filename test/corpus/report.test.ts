/**
 * Tests that every source of the corpora is parsed without a bug, and that its counts and findings are the reviewed
 * ones.
 */
import assert from 'node:assert/strict';
import { describeCorpora, reviewedFile } from './corpus.ts';
import { type Gathered, gather } from './gather.ts';
import { command, readReviewed, reviewedFiles } from './report.ts';

describeCorpora('every source', (corpus) => {
  let gathered: Gathered;
  before(async () => {
    gathered = await gather(corpus);
  });

  it('is checked without an internal error', () => assert.deepEqual(gathered.bugs, []));

  for (const name of reviewedFiles) {
    it(`equals the reviewed ${name}`, () => {
      const changed = `${reviewedFile(corpus, name)} is not what is found today. If it should be: ${command}`;
      assert.equal(gathered[name], readReviewed(corpus, name), changed);
    });
  }
});
