/**
 * Tests that both YAML parsers create one tree for real files, and for their incomplete versions while they are typed.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { mutated } from '../harness/mutations.ts';
import { type Counts, compareReaders } from '../manifests/readers.ts';
import { describeCorporaWith } from './corpus.ts';

/** The number of compared files with typing mistakes. */
const runs = { own: 2000, shared: 20_000 };

describeCorporaWith('the readers of YAML', runs, (corpus, numRuns) => {
  let texts: readonly string[] = [];

  before(() => {
    texts = readdirSync(corpus.folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(?:ya?ml|json|tpl)$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').replace(/^\ufeff/, ''));
  });

  it('parse every file to equal trees', () => {
    const counts: Counts = { all: 0, usual: 0, rejected: 0 };
    for (const text of texts) compareReaders(text, counts);
    assert.ok(counts.usual > 0.95 * counts.all, JSON.stringify(counts));
    assert.ok(counts.rejected < 0.01 * counts.all, JSON.stringify(counts));
  });

  it('parse broken files to equal trees', () => {
    fc.assert(
      fc.property(mutated(texts), (text) => {
        compareReaders(text);
      }),
      { numRuns },
    );
  });
});
