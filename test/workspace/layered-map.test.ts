/** Tests that a layered map equals a map with the changes applied. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LayeredMap } from '../../server/src/workspace/index/layered-map.ts';

const key = fc.integer({ min: 0, max: 120 });
const changes = fc.array(fc.tuple(key, fc.option(fc.integer(), { nil: undefined })), { maxLength: 40 });

describe('a layered map', () => {
  it('contains all changes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer())), fc.array(changes, { maxLength: 6 }), (start, steps) => {
        const plain = new Map(start);
        let layered = new LayeredMap<number, number>(new Map(start));
        for (const step of steps) {
          layered = layered.with(step);
          for (const [each, value] of step) value === undefined ? plain.delete(each) : plain.set(each, value);
        }
        assert.deepEqual(new Map(layered), new Map(plain));
        assert.equal(layered.size, plain.size);
        assert.deepEqual(new Set(layered.keys()), new Set(plain.keys()));
        assert.equal([...layered.values()].length, plain.size);
        const visited: [number, number][] = [];
        layered.forEach((value, each) => {
          visited.push([each, value]);
        });
        assert.deepEqual(visited, [...layered]);
        for (let each = 0; each <= 120; each++) {
          assert.equal(layered.get(each), plain.get(each));
          assert.equal(layered.has(each), plain.has(each));
        }
      }),
    );
  });

  it('does not change the map that it was created from', () => {
    const before = new LayeredMap(new Map([['a', 1]]));
    const after = before.with([
      ['a', undefined],
      ['b', 2],
    ]);
    assert.deepEqual([...before], [['a', 1]]);
    assert.deepEqual([...after], [['b', 2]]);
  });
});
