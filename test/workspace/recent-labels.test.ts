/** Are labels only taken for others that say the same? */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LabelSet, Value } from '../../server/src/engine/index.ts';
import { RecentLabels } from '../../server/src/workspace/recent-labels.ts';

const unknown = fc.record({
  unknown: fc.constantFrom('x', 'y'),
  pattern: fc.option(fc.constantFrom('a-*', 'b-*'), { nil: undefined }),
  assumed: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
});
const value = fc.oneof(fc.constantFrom('a', 'b', ''), unknown) as fc.Arbitrary<Value>; // what is undefined is as good as absent
const labelSet: fc.Arbitrary<LabelSet> = fc.record({
  labels: fc.dictionary(fc.constantFrom('app', 'tier', 'constructor', '__proto__'), value, { noNullPrototype: true }),
  open: fc.boolean(),
});

describe('labels that were taken in lately', () => {
  it('stand for others exactly where these say the same, the newest eight at least', () => {
    fc.assert(
      fc.property(fc.array(labelSet, { maxLength: 8 }), labelSet, (known, asked) => {
        const recent = new RecentLabels();
        for (const each of known) recent.add(each);
        const found = recent.like(asked.labels, asked.open === true);
        if (found !== undefined) assert.deepEqual(found, asked);
        else for (const each of known) assert.notDeepEqual(each, asked);
      }),
    );
  });
});
