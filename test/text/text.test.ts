/** Tests lines, spans, edits and the distance of words. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits } from '../../server/src/text/edit.ts';
import { editDistance } from '../../server/src/text/edit-distance.ts';
import { firstLineOf, lineEnd, lineTable, offsetToPosition, positionToOffsetOf } from '../../server/src/text/lines.ts';
import { meets, shifted, touches } from '../../server/src/text/span.ts';

describe('lines', () => {
  const text = 'ab\r\nc\rd\n\ne😀f';

  it('end in LF, CRLF or CR', () => {
    assert.deepEqual(lineTable(text), [0, 4, 6, 8, 9]);
    assert.deepEqual(lineTable(''), [0]);
    assert.deepEqual(lineTable('\n'), [0, 1]);
  });

  it('return the position of an offset in UTF-16 units', () => {
    const place = (offset: number) => {
      const { line, character } = offsetToPosition(lineTable(text), offset);
      return `${line}:${character}`;
    };
    assert.deepEqual([0, 2, 4, 5, 6, 8, 9, 12, 13].map(place), [
      '0:0',
      '0:2',
      '1:0',
      '1:1',
      '2:0',
      '3:0',
      '4:0',
      '4:3',
      '4:4',
    ]);
  });

  it('return the offset of a position, and the nearest one of a nonexistent position', () => {
    const table = lineTable(text);
    assert.equal(positionToOffsetOf(table, { line: 1, character: 1 }, text.length), 5);
    assert.equal(positionToOffsetOf(table, { line: 1, character: 99 }, text.length), 5);
    assert.equal(positionToOffsetOf(table, { line: 99, character: 0 }, text.length), text.length);
    assert.equal(positionToOffsetOf(table, { line: 4, character: 99 }, text.length), text.length);
  });

  it('convert every offset outside a line end to a position and back', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '😀', ' ')), (parts) => {
        const random = parts.join('');
        const table = lineTable(random);
        for (let offset = 0; offset <= random.length; offset++) {
          if (random[offset] === '\n' && random[offset - 1] === '\r') continue;
          assert.equal(positionToOffsetOf(table, offsetToPosition(table, offset), random.length), offset);
        }
      }),
    );
  });

  it('use the first line end', () => {
    assert.equal(lineEnd('a\r\nb\n'), '\r\n');
    assert.equal(lineEnd('a\nb\r\n'), '\n');
    assert.equal(lineEnd('a'), '\n');
  });

  it('limit a span to its first line', () => {
    assert.deepEqual(firstLineOf('ab\r\ncd', { start: 1, end: 6 }), { start: 1, end: 2 });
    assert.deepEqual(firstLineOf('abcd', { start: 1, end: 3 }), { start: 1, end: 3 });
  });
});

describe('spans', () => {
  const span = { start: 2, end: 4 };

  it('contain offsets inside and at both ends', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((offset) => touches(span, offset)),
      [false, true, true, true, false],
    );
  });

  it('overlap if they share a character or an end', () => {
    assert.equal(meets(span, { start: 0, end: 1 }), false);
    assert.equal(meets(span, { start: 0, end: 2 }), true);
    assert.equal(meets(span, { start: 3, end: 3 }), true);
    assert.equal(meets(span, { start: 5, end: 6 }), false);
  });

  it('can be shifted', () => assert.deepEqual(shifted(span, 10), { start: 12, end: 14 }));
});

describe('edits', () => {
  it('are applied together, in any order', () => {
    const edits = [
      { span: { start: 4, end: 5 }, text: 'E' },
      { span: { start: 0, end: 1 }, text: '' },
      { span: { start: 2, end: 2 }, text: '-' },
    ];
    assert.equal(applyEdits('abcdef', edits), 'b-cdEf');
  });

  it('at one offset keep their given order', () => {
    const at = { start: 1, end: 1 };
    assert.equal(
      applyEdits('ab', [
        { span: at, text: '1' },
        { span: at, text: '2' },
      ]),
      'a12b',
    );
  });
});

describe('edit distance', () => {
  for (const [a, b, count] of [
    ['basket', 'basket', 0],
    ['basket', 'baskett', 1],
    ['basket', 'baskte', 1],
    ['basket', 'gasket', 1],
    ['basket', 'bsket', 1],
    ['basket', 'bucket', 2],
    ['', 'ab', 2],
    ['basket', 'orders', 3],
  ] as const) {
    it(`of '${a}' and '${b}' is ${count === 3 ? 'more than the limit' : count}`, () => {
      assert.equal(editDistance(a, b, 2), count);
      assert.equal(editDistance(b, a, 2), count);
    });
  }
});
