/** Is what is packed the same when it is read again? */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Pool, pack, unpack } from '../../server/src/workspace/pack.ts';

const none = new Set<string>();

function roundTrip(value: unknown): unknown {
  const pool = new Pool();
  const packed = pack(value, pool, none);
  const stored = JSON.parse(JSON.stringify({ strings: pool.strings, shapes: pool.shapes }));
  return unpack(packed, new Pool(stored.strings, stored.shapes, pool.constants));
}

describe('packed data', () => {
  it('is read again as it was', () => {
    const plain = fc.jsonValue({ maxDepth: 5 });
    fc.assert(fc.property(plain, (value) => assert.deepEqual(roundTrip(value), normal(value))));
  });

  it('keeps whole numbers of any size, fractions and what is not finite', () => {
    for (const value of [0, 1, 15, 16, 127, 128, 2 ** 31, 2 ** 49, 2 ** 50, 2 ** 60, -1, 0.5, Number.NaN, -1e300]) {
      assert.deepEqual(roundTrip([value]), [value]);
    }
  });

  it('keeps where something begins and ends, and what only looks like that', () => {
    for (const value of [
      { start: 0, end: 0 },
      { start: 5, end: 2 ** 31 },
      { start: 7, end: 3 },
      { start: -1, end: 0.5 },
      { end: 1, start: 0 },
      { start: 'a', end: 'b' },
      { start: 1, end: 2, more: { start: 2 ** 40, end: 2 ** 41 } },
    ]) {
      assert.deepEqual(roundTrip([value, value]), [value, value]);
    }
  });

  it('keeps texts that are the same under some keys and not under others', () => {
    const value = ['a', 'b', 'a'].map((text) => ({
      text,
      value: text,
      type: 'x',
      span: { start: 1, end: 2 },
      '': text,
    }));
    assert.deepEqual(roundTrip([value, 'b', 'b']), [value, 'b', 'b']);
  });

  it('leaves out keys without a value', () => {
    assert.deepEqual(roundTrip({ a: undefined, b: [undefined, null, true, false] }), {
      b: [undefined, null, true, false],
    });
  });

  it('tells shapes apart whose keys are odd', () => {
    for (const value of [{ '': {} }, { a: { 'b\nc': 1 }, d: { b: 1, c: 2 } }, [{}, { '': 1 }]]) {
      assert.deepEqual(roundTrip(value), value);
    }
  });

  it('keeps constants by identity', () => {
    const fact = { path: 'spec.selector' };
    const pool = new Pool();
    const packed = pack({ fact, label: 'fact' }, pool, new Set(['fact']));
    const read = unpack(packed, pool);
    assert.deepEqual(read, { fact, label: 'fact' });
    assert.deepEqual(pool.constants, [fact]);
  });

  it('writes a key that is also that of every object', () => {
    const value = JSON.parse('{ "constructor": 1, "toString": [2] }');
    assert.deepEqual(roundTrip(value), value);
  });

  it('gives something for any bytes, in time that grows with them', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (page) => {
        const packed = { page, start: 0, end: page.length };
        assert.doesNotThrow(() => unpack(packed, new Pool(['a'], [['b']])));
        assert.doesNotThrow(() => unpack(packed, new Pool(['a'], [['b']]), { keys: {} }));
        assert.doesNotThrow(() => unpack(packed, new Pool(['a'], [['b']]), { under: ['b'], text: 'a' }));
      }),
    );
  });

  it('is read in part: some keys of an object, and of a list the items with a text', () => {
    const item = fc.record({
      key: fc.record({ text: fc.constantFrom('a', 'b'), span: fc.nat() }),
      more: fc.jsonValue(),
    });
    const value = fc.record({ before: fc.jsonValue(), items: fc.array(item), after: fc.jsonValue(), last: fc.nat() });
    fc.assert(
      fc.property(value, (whole) => {
        const pool = new Pool();
        const items = { under: ['key', 'text'], text: 'a' } as const;
        const part = unpack(pack(whole, pool, none), pool, { keys: { items, last: 'all', absent: 'all' } });
        const kept = whole.items.filter(({ key }) => key.text === 'a');
        assert.deepEqual(part, normal({ items: kept, last: whole.last }));
      }),
    );
  });
});

/** -0 is 0 when it is read again, as in JSON. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
