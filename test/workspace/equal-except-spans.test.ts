/** Tests the comparison of facts except for their offsets. */
import assert from 'node:assert/strict';
import { equalExceptSpans } from '../../server/src/workspace/store/equal-except-spans.ts';

const span = (start: number, end: number) => ({ start, end });

describe('equality except for spans', () => {
  it('accepts offsets that moved in the same order', () => {
    const before = { name: 'web', span: span(0, 9), labels: [{ key: 'app', span: span(3, 6) }] };
    const after = { name: 'web', span: span(0, 19), labels: [{ key: 'app', span: span(13, 16) }] };
    assert.ok(equalExceptSpans(before, after));
  });

  it('rejects offsets in another order, or that coincide in only one of the values', () => {
    for (const [before, after] of [
      [
        [span(0, 2), span(3, 5)],
        [span(3, 5), span(0, 2)],
      ],
      [
        [span(0, 2), span(2, 5)],
        [span(0, 2), span(3, 5)],
      ],
      [
        [span(0, 2), span(3, 5)],
        [span(0, 2), span(2, 5)],
      ],
      [[span(4, 4)], [span(4, 5)]],
    ] as const) {
      assert.ok(!equalExceptSpans(before, after), JSON.stringify([before, after]));
    }
  });

  it('compares everything except spans', () => {
    const base = { text: 'a', at: 1, list: [1, null, true], place: { start: 1, end: 2, note: 'x' } };
    assert.ok(equalExceptSpans(base, structuredClone(base)));
    for (const other of [
      { ...base, text: 'b' },
      { ...base, at: 2 },
      { ...base, list: [1, null] },
      { ...base, list: [1, undefined, true] },
      { ...base, place: { start: 2, end: 3, note: 'x' } },
      { ...base, more: false },
      { ...base, list: { 0: 1, 1: null, 2: true } },
    ]) {
      assert.ok(!equalExceptSpans(base, other), JSON.stringify(other));
      assert.ok(!equalExceptSpans(other, base), JSON.stringify(other));
    }
    assert.ok(equalExceptSpans({ a: 1, b: undefined }, { a: 1 }));
  });
});
