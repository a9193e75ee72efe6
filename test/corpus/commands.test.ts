/** Are the selectors that are found in the commands of real files those that a person reviewed, and all there are? */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { foundCommands, reviewedCommands, suspectedLines } from './commands.ts';
import { describeCorpus } from './corpus.ts';

describeCorpus('the commands of the corpus', () => {
  let found = '';
  before(() => {
    found = foundCommands();
  });

  it('hold the selectors that were reviewed', () => {
    const how = 'npm run approve -- corpus';
    assert.equal(found, readFileSync(reviewedCommands, 'utf8'), `If it should be: ${how}, and read what changed.`);
  });

  it('hold nothing that kubectl would refuse', () => {
    assert.ok(found.split('\n').length > 150);
    assert.doesNotMatch(found, / WRONG /);
  });

  it('are all found that a plain search finds', () => {
    const lines = new Set(found.split('\n').map((line) => line.split(' ', 1)[0]));
    assert.deepEqual(
      suspectedLines().filter((line) => !lines.has(line)),
      [],
    );
  });
});
