/** Is every source of the corpus read without a fault, and are the counts and findings the reviewed ones? */
import assert from 'node:assert/strict';
import { describeCorpus } from './corpus.ts';
import { type Gathered, gather } from './gather.ts';
import { command, readReviewed, reviewedFiles } from './report.ts';

describeCorpus('every source of the corpus', () => {
  let gathered: Gathered;
  before(async () => {
    gathered = await gather();
  });

  it('is read without a bug of ours', () => assert.deepEqual(gathered.bugs, []));

  for (const name of reviewedFiles) {
    it(`gives the reviewed ${name}`, () => {
      const changed = `test/corpus/${name}.txt is not what is found today. If it should be: ${command}`;
      assert.equal(gathered[name], readReviewed(name), changed);
    });
  }
});
