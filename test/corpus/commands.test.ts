/** Tests that the selectors in the commands of the corpora are the reviewed ones, and complete. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { foundCommands, suspectedLines } from './commands.ts';
import { describeCorporaWith, reviewedFile } from './corpus.ts';

/** The minimum number of commands, and the number of those that kubectl would reject. */
const known = {
  own: { least: 20, refused: ['faults/runbook.md:1'] },
  shared: { least: 150, refused: [] },
};

describeCorporaWith('the commands', known, (corpus, { least, refused }) => {
  let found = '';
  before(() => {
    found = foundCommands(corpus);
  });

  it('contain the reviewed selectors', () => {
    const how = 'npm run approve -- corpus';
    assert.equal(
      found,
      readFileSync(reviewedFile(corpus, 'commands'), 'utf8'),
      `If it should be: ${how}, and read what changed.`,
    );
  });

  it('contain selectors that kubectl rejects only at known positions', () => {
    const lines = found.split('\n');
    assert.ok(lines.length > least);
    const wrong = lines.filter((line) => line.includes(' WRONG ')).map((line) => line.split(' ', 1)[0]);
    assert.deepEqual(wrong, refused);
  });

  it('contain everything that a plain search finds', () => {
    const lines = new Set(found.split('\n').map((line) => line.split(' ', 1)[0]));
    assert.deepEqual(
      suspectedLines(corpus).filter((line) => !lines.has(line)),
      [],
    );
  });
});
