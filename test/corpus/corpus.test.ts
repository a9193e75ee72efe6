/** Tests the corpora themselves: their content, and that the own one is representative. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { corpora, describeCorpora, own, sources } from './corpus.ts';

describeCorpora('the corpus', (corpus) => {
  it('has sources', () => assert.ok(sources(corpus).length > 10));
});

describe('the corpora', () => {
  if (corpora.length === 1) {
    it('consist of our own one only: ../shared/corpus does not exist', () => assert.deepEqual(corpora, [own]));
  }

  it('have 60 to 120 files of our own', () => {
    const files = readdirSync(own.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length >= 60 && files.length <= 120, `${files.length} files`);
  });
});
