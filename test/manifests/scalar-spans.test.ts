/** Tests the search for block scalars and quoted scalars by lines. */
import assert from 'node:assert/strict';
import { scalarSpans } from '../../server/src/manifests/placeholders/scalar-spans.ts';

function scalars(text: string): readonly string[] {
  return scalarSpans(text).map(({ start, end }) => text.slice(start, end));
}

describe('the spans of scalars', () => {
  it('are those of blocks, by their indentation', () => {
    assert.deepEqual(scalars('a: |\n  x\n\n  y\nb: c\n'), ['\n  x\n\n  y']);
    assert.deepEqual(scalars('- |\n x\n- >-2 # y\n z\n'), ['\n x', '\n z']);
    assert.deepEqual(scalars('- a: !t &x |\r\n    x\r\n  b: |\n    y\n'), ['\n    x\r', '\n    y']);
    assert.deepEqual(scalars('a:\n  - - b: |\n        x\n      c: d\n'), ['\n        x']);
    assert.deepEqual(scalars('a: |\nb: x\n'), []);
  });

  it('are those of quoted scalars, also of several lines', () => {
    assert.deepEqual(scalars(`a: "x \\" y"\n'b c': 'it''s'\n"d": "x\n  y" # z\n- 'e\n\n  f'\n`), [
      '"x \\" y"',
      "'it''s'",
      '"x\n  y"',
      "'e\n\n  f'",
    ]);
    assert.deepEqual(scalars('a: "x\n---\nb: "y"\n'), ['"y"']);
    assert.deepEqual(scalars('a: "x" y\nb: |x\n'), []);
  });
});
