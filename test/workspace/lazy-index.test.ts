/** Tests that a lazy index returns the results of one that is filled at once. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { LabelIndex, type LabelSet, type Selector } from '../../server/src/engine/index.ts';
import { LazyIndex } from '../../server/src/workspace/index/lazy-index.ts';
import { readFile, withFiles, workspaceIn } from '../../server/src/workspace/snapshot.ts';

const labelSet = fc.record({ labels: fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b')) });
const step = fc.oneof(
  fc.record({ add: fc.nat(5), labelSet }),
  fc.record({ remove: fc.nat(5) }),
  fc.record({ ask: fc.constantFrom('a', 'b') }),
);

function found(index: LabelIndex<number>, value: string): readonly number[] {
  const selector: Selector = { kind: 'all', requirements: [{ key: 'app', operator: '=', values: [value] }] };
  return index.find(selector).map(({ id }) => id);
}

describe('a lazy index', () => {
  it('finds the same, whenever its first lookup is and whatever changes before and after', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const lazy = new LazyIndex<number, LabelSet, LabelIndex<number>>(() => new LabelIndex<number>());
        const plain = new LabelIndex<number>();
        for (const each of steps) {
          if ('add' in each) {
            lazy.remove(each.add);
            lazy.add(each.add, each.labelSet);
            plain.add(each.add, each.labelSet);
          } else if ('remove' in each) {
            lazy.remove(each.remove);
            plain.remove(each.remove);
          } else assert.deepEqual(found(lazy.filled(), each.ask), found(plain, each.ask));
        }
        assert.deepEqual(found(lazy.filled(), 'a'), found(plain, 'a'));
      }),
    );
  });

  it('finds labels although many missing keys were looked up', () => {
    const index = new LabelIndex<number>();
    index.add(0, { labels: { app: 'a' } });
    const keys = Array.from({ length: 100 }, (_, number) => `key${number}`);
    const carrying = () => keys.flatMap((key) => [...index.carrying(key)]);
    assert.deepEqual(carrying(), []);
    for (const [number, key] of keys.entries()) index.add(number + 1, { labels: { [key]: 'x' } });
    assert.deepEqual(
      carrying(),
      keys.map((_, number) => number + 1),
    );
    for (const number of keys.keys()) index.remove(number + 1);
    assert.deepEqual([carrying(), [...index.carrying('app')]], [[], [0]]);
  });

  it('is dropped with the last object of its kind', () => {
    const read = (kind: string) =>
      readFile(
        'file:///work/a.yaml',
        `apiVersion: v1\nkind: ${kind}\nmetadata: {name: a, labels: {a: b}}\n`,
        catalogue,
      );
    const before = workspaceIn(['file:///work'], [['file:///work/a.yaml', read('Pod')]]);
    assert.deepEqual([...before.targets()], ['/Pod']);
    const after = withFiles(before, [['file:///work/a.yaml', read('Secret')]]);
    assert.deepEqual([...after.targets()], ['/Secret']);
  });

  it('is created once, at the first lookup', () => {
    let made = 0;
    const lazy = new LazyIndex<number, LabelSet, LabelIndex<number>>(() => {
      made++;
      return new LabelIndex<number>();
    });
    lazy.add(1, { labels: { app: 'a' } });
    assert.equal(made, 0);
    assert.deepEqual([found(lazy.filled(), 'a'), found(lazy.filled(), 'b')], [[1], []]);
    assert.equal(made, 1);
  });
});

describe('a search in some files', () => {
  it('finds nothing in other files, however many there are', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {a: b}}\n';
    const uris = Array.from({ length: 50 }, (_, number) => `file:///work/${number}.yaml`);
    const files = uris.map((uri) => [uri, readFile(uri, text, catalogue)] as const);
    const workspace = workspaceIn(['file:///work'], files);
    for (const size of [1, 49]) {
      const within = new Set(uris.slice(0, size));
      const found = [...workspace.find('/Pod', { kind: 'everything' }, undefined, within)];
      assert.deepEqual(new Set(found.map(({ file }) => file.uri)), within);
    }
  });
});
