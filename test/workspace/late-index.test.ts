/** Does an index that is filled late find what one finds that was filled at once? */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LabelIndex, type LabelSet, type Selector } from '../../server/src/engine/index.ts';
import { LateIndex } from '../../server/src/workspace/index/lazy-index.ts';

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

describe('an index that is filled late', () => {
  it('finds the same, whenever it is first asked and whatever is changed before and after', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const late = new LateIndex<number, LabelSet, LabelIndex<number>>(() => new LabelIndex<number>());
        const plain = new LabelIndex<number>();
        for (const each of steps) {
          if ('add' in each) {
            late.remove(each.add);
            late.add(each.add, each.labelSet);
            plain.add(each.add, each.labelSet);
          } else if ('remove' in each) {
            late.remove(each.remove);
            plain.remove(each.remove);
          } else assert.deepEqual(found(late.asked(), each.ask), found(plain, each.ask));
        }
        assert.deepEqual(found(late.asked(), 'a'), found(plain, 'a'));
      }),
    );
  });

  it('is made once, and not before it is asked', () => {
    let made = 0;
    const late = new LateIndex<number, LabelSet, LabelIndex<number>>(() => {
      made++;
      return new LabelIndex<number>();
    });
    late.add(1, { labels: { app: 'a' } });
    assert.equal(made, 0);
    assert.deepEqual([found(late.asked(), 'a'), found(late.asked(), 'b')], [[1], []]);
    assert.equal(made, 1);
  });
});
