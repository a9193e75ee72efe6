/** Tests that deserialized data equals the serialized data. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deserialize, Items, SomeKeys } from '../../server/src/workspace/store/deserialize.ts';
import { Pool, pack, Sized } from '../../server/src/workspace/store/serialize.ts';

const none = new Set<string>();

function roundTrip(value: unknown): unknown {
  const pool = new Pool();
  const serialized = pack(value, pool, none);
  const stored = JSON.parse(JSON.stringify({ strings: pool.strings, shapes: pool.shapes }));
  return deserialize(serialized, new Pool(stored.strings, stored.shapes, pool.constants));
}

describe('serialized data', () => {
  it('is deserialized unchanged', () => {
    const plain = fc.jsonValue({ maxDepth: 5 });
    fc.assert(fc.property(plain, (value) => assert.deepEqual(roundTrip(value), normal(value))));
  });

  it('contains objects with their sizes, which are skipped or read up to the last wanted key', () => {
    const plain = fc.jsonValue({ maxDepth: 3 });
    const wanted = new SomeKeys({ b: 'all' });
    fc.assert(
      fc.property(plain, plain, plain, (a, b, c) => {
        const pool = new Pool();
        const sized = () => new Sized({ a, b, c }, {});
        const serialized = pack({ items: [sized(), sized(), 7], last: sized() }, pool, none);
        const whole = normal({ a, b, c });
        assert.deepEqual(deserialize(serialized, pool), { items: [whole, whole, 7], last: whole });
        const items = new Items(serialized, pool, ['items'], wanted);
        assert.deepEqual([items.at(1), items.at(0)], [{ b: normal(b) }, { b: normal(b) }]);
        assert.deepEqual(deserialize(serialized, pool, 'all', ['last', 'c']), normal(c));
      }),
    );
  });

  it('preserves whole numbers of any size, fractions and infinite numbers', () => {
    for (const value of [0, 1, 15, 16, 127, 128, 2 ** 31, 2 ** 49, 2 ** 50, 2 ** 60, -1, 0.5, Number.NaN, -1e300]) {
      assert.deepEqual(roundTrip([value]), [value]);
    }
  });

  it('preserves spans, and similar objects', () => {
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

  it('preserves texts that are equal under some keys and not under others', () => {
    const value = ['a', 'b', 'a'].map((text) => ({
      text,
      value: text,
      type: 'x',
      span: { start: 1, end: 2 },
      '': text,
    }));
    assert.deepEqual(roundTrip([value, 'b', 'b']), [value, 'b', 'b']);
  });

  it('preserves scalars and entries, and similar objects', () => {
    const span = { start: 3, end: 9 };
    const scalar = { text: 'a', value: 'a', type: 'string', style: 'plain', span };
    const scalars = [
      scalar,
      ...['number', 'boolean', 'null', 'map', 'list', 'other'].map((type) => ({ ...scalar, type })),
      ...['single', 'double', 'block', 'other'].map((style) => ({ ...scalar, style })),
      { ...scalar, value: 'b' },
      { ...scalar, value: { unknown: 'a', pattern: '*' } },
      { ...scalar, text: 1, value: 1 },
      { ...scalar, span: { start: 9, end: 3 } },
      { ...scalar, span: null },
      { ...scalar, span: { start: 1, end: 2, more: 3 } },
      { ...scalar, anchored: true },
    ];
    const entry = { key: scalar, value: { ...scalar, text: 'b', value: 'b' }, merged: false, conditional: false };
    const entries = [
      entry,
      ...scalars.flatMap((each) => [
        { ...entry, key: each },
        { ...entry, value: each },
      ]),
      { ...entry, merged: true },
      { ...entry, conditional: true },
      { ...entry, key: null, value: 'text' },
      { ...entry, told: true },
    ];
    for (const value of [...scalars, ...entries, entries]) assert.deepEqual(roundTrip([value]), [value]);
  });

  it('preserves increasing numbers, and similar lists', () => {
    for (const list of [
      [0],
      [0, 0, 7, 127, 128, 2 ** 30, 2 ** 31 - 1],
      [2 ** 31],
      [3, 2],
      [-1, 0],
      [0, 0.5],
      [1, '2'],
    ]) {
      assert.deepEqual(roundTrip([list, list, 'after']), [list, list, 'after']);
      const pool = new Pool();
      const serialized = pack({ lines: list, last: 7 }, pool, none);
      assert.deepEqual(deserialize(serialized, pool, new SomeKeys({ last: 'all' })), { last: 7 });
    }
  });

  it('leaves out keys without a value', () => {
    assert.deepEqual(roundTrip({ a: undefined, b: [undefined, null, true, false] }), {
      b: [undefined, null, true, false],
    });
  });

  it('distinguishes shapes with unusual keys', () => {
    for (const value of [{ '': {} }, { a: { 'b\nc': 1 }, d: { b: 1, c: 2 } }, [{}, { '': 1 }]]) {
      assert.deepEqual(roundTrip(value), value);
    }
  });

  it('preserves constants by identity', () => {
    const fact = { path: 'spec.selector' };
    const pool = new Pool();
    const serialized = pack({ fact, label: 'fact' }, pool, new Set(['fact']));
    const read = deserialize(serialized, pool);
    assert.deepEqual(read, { fact, label: 'fact' });
    assert.deepEqual(pool.constants, [fact]);
  });

  it('preserves a key that every object inherits', () => {
    const value = JSON.parse('{ "constructor": 1, "toString": [2] }');
    assert.deepEqual(roundTrip(value), value);
  });

  it('returns a value for any bytes, in linear time', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (page) => {
        const serialized = { page, start: 0, end: page.length };
        assert.doesNotThrow(() => deserialize(serialized, new Pool(['a'], [['b']])));
        assert.doesNotThrow(() => deserialize(serialized, new Pool(['a'], [['b']]), new SomeKeys({})));
        assert.doesNotThrow(() => deserialize(serialized, new Pool(['a'], [['b']]), { under: ['b'], text: 'a' }));
      }),
    );
  });

  it('is deserialized in part, skipping scalars, entries and spans', () => {
    const scalar = (text: string, value: unknown = text) => {
      return { text, value, type: 'string', style: 'plain', span: { start: 200, end: 300 } };
    };
    const entry = (key: string) => ({ key: scalar(key), value: scalar('x'), merged: false, conditional: false });
    const odd = { ...entry('b'), value: scalar('y', { unknown: 'y' }) };
    const value = { span: { start: 1, end: 999 }, name: scalar('n'), entries: [entry('a'), odd, entry('b')], last: 7 };
    const pool = new Pool();
    const serialized = pack(value, pool, none);
    const all = 'all' as const;
    assert.deepEqual(deserialize(serialized, pool, new SomeKeys({ last: all })), { last: 7 });
    assert.deepEqual(
      deserialize(serialized, pool, new SomeKeys({ name: new SomeKeys({ text: all, span: all }), last: all })),
      {
        name: { text: 'n', span: { start: 200, end: 300 } },
        last: 7,
      },
    );
    const entries = { under: ['key', 'text'], text: 'b' };
    assert.deepEqual(deserialize(serialized, pool, new SomeKeys({ entries, last: all })), {
      entries: [odd, entry('b')],
      last: 7,
    });
    const values = { under: ['value', 'value'], text: 'x' };
    assert.deepEqual(deserialize(serialized, pool, new SomeKeys({ entries: values })), {
      entries: [entry('a'), entry('b')],
    });
    const texts = new SomeKeys({ value: new SomeKeys({ text: all }), conditional: all });
    assert.deepEqual(deserialize(serialized, pool, new SomeKeys({ entries: texts, last: all })), {
      entries: ['x', 'y', 'x'].map((text) => ({ value: { text }, conditional: false })),
      last: 7,
    });
  });

  it('is deserialized in part: some keys of an object, and the items of a list with a text', () => {
    const item = fc.record({
      key: fc.record({ text: fc.constantFrom('a', 'b'), span: fc.nat() }),
      more: fc.jsonValue(),
    });
    const value = fc.record({ before: fc.jsonValue(), items: fc.array(item), after: fc.jsonValue(), last: fc.nat() });
    fc.assert(
      fc.property(value, (whole) => {
        const pool = new Pool();
        const items = { under: ['key', 'text'], text: 'a' } as const;
        const part = deserialize(pack(whole, pool, none), pool, new SomeKeys({ items, last: 'all', absent: 'all' }));
        const kept = whole.items.filter(({ key }) => key.text === 'a');
        assert.deepEqual(part, normal({ items: kept, last: whole.last }));
      }),
    );
  });
});

/** -0 is deserialized as 0, as in JSON. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
