/** Tests the positions of the characters of scalars. */

import assert from 'node:assert/strict';
import { scalarLetters } from '../../../server/src/manifests/inline/scalar-source-map.ts';

describe('positions in a block scalar', () => {
  for (const [name, lineEnd] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const)
    it(`are those of its characters: ${name}`, () => {
      const text = ['values: |', '  a: b', '', '  key: value', ''].join(lineEnd);
      const span = { start: text.indexOf('|'), end: text.length };
      const letters = scalarLetters(text, { kind: 'scalar', span, text: '', style: 'block', type: 'string' });
      assert.equal(letters.text, 'a: b\n\nkey: value\n');
      assert.equal(letters.startOf(letters.text.indexOf('value')), text.lastIndexOf('value'));
      assert.equal(letters.endOf(letters.text.indexOf('b')), text.indexOf('b') + 1);
    });
});
