/** Tests of spans that do not overlap, compared with a search in all of them. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { meets, SeparateSpans, type Span } from '../../server/src/text/span.ts';

const spans = fc.tuple(fc.nat(30), fc.nat(3)).map(([start, length]): Span => ({ start, end: start + length }));

describe('spans that do not overlap', () => {
  it('share characters with the same spans as a list does', () => {
    fc.assert(
      fc.property(fc.array(spans), (all) => {
        const separate = new SeparateSpans();
        const added: Span[] = [];
        for (const span of all) {
          const isMet = added.some((each) => meets(each, span));
          assert.equal(separate.meet(span), isMet);
          if (isMet) continue;
          separate.add(span);
          added.push(span);
        }
      }),
    );
  });

  it('may touch each other', () => {
    const separate = new SeparateSpans();
    for (const start of [4, 2, 2, 3]) separate.add({ start, end: start === 3 ? 4 : start });
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((at) => separate.meet({ start: at, end: at })),
      [false, true, true, true, false],
    );
  });
});
