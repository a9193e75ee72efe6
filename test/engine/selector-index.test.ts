/** Tests the lookup of selectors in some files of an index. */

import assert from 'node:assert/strict';
import { parseSelector } from '../../server/src/engine/index.ts';
import { SelectorIndex } from '../../server/src/engine/selector-index.ts';

interface Id {
  readonly uri: string;
  readonly number: number;
}

describe('selectors of some files', () => {
  const parsed = parseSelector('app=web');
  assert.ok(parsed.ok);
  const app = parsed.value;
  const labels = { labels: { app: 'web' } };

  function numbersIn(index: SelectorIndex<Id>, ...within: readonly string[]) {
    return index
      .find(labels, new Set(within))
      .map(({ id }) => id.number)
      .sort();
  }

  function indexOf(...uris: readonly string[]) {
    const index = new SelectorIndex<Id>(({ uri }) => uri);
    const ids = uris.map((uri, number) => ({ uri, number }));
    for (const id of ids) index.add(id, app);
    return { index, ids };
  }

  it('are found among few and among many files with one selector', () => {
    const { index } = indexOf('a', 'b', 'a', 'c');
    assert.deepEqual(numbersIn(index, 'a'), [0, 2]);
    assert.deepEqual(numbersIn(index, 'b', 'c', 'd'), [1, 3]);
    assert.deepEqual(numbersIn(index, 'a', 'b', 'd', 'e'), [0, 1, 2]);
    assert.deepEqual(numbersIn(index), []);
  });

  it('are those after a selector was added or removed', () => {
    const { index, ids } = indexOf('a', 'b', 'a');
    assert.deepEqual(numbersIn(index, 'a'), [0, 2]);
    index.add({ uri: 'a', number: 3 }, app);
    assert.deepEqual(numbersIn(index, 'a'), [0, 2, 3]);
    if (ids[0] !== undefined) index.remove(ids[0]);
    assert.deepEqual(numbersIn(index, 'a'), [2, 3]);
  });
});
