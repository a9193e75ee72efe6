/** Tests that the label cache returns only equal label sets. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LabelSet, Value } from '../../server/src/engine/index.ts';
import { LabelCache } from '../../server/src/workspace/store/label-cache.ts';

const plain = { noNullPrototype: true } as const;
const described = {
  unknown: fc.constantFrom('x', 'y'),
  pattern: fc.constantFrom('a-*', 'b-*'),
  assumed: fc.constantFrom('a', 'b'),
};
const unknown = fc.record(described, { ...plain, requiredKeys: ['unknown'] });
const value: fc.Arbitrary<Value> = fc.oneof(fc.constantFrom('a', 'b', ''), unknown);
const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'constructor', '__proto__'), value, plain);
const labelSet: fc.Arbitrary<LabelSet> = fc.record({ labels, open: fc.boolean() }, plain);

describe('recently added labels', () => {
  it('are shared exactly if they are equal, the newest eight at least', () => {
    fc.assert(
      fc.property(fc.array(labelSet, { maxLength: 8 }), labelSet, (known, asked) => {
        const recent = new LabelCache();
        for (const each of known) recent.add(each);
        const found = recent.like(asked.labels, asked.open === true);
        if (found !== undefined) assert.deepEqual(found, asked);
        else for (const each of known) assert.notDeepEqual(each, asked);
      }),
    );
  });
});
