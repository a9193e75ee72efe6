/** Percent-encoding of any text, and decoding of any name. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentDecode, percentEncode } from '../../server/src/text/percent-encoding.ts';

const anyText = fc.string({ unit: 'binary' });

describe('percent-encoding', () => {
  it('equals encodeURIComponent for well-formed text, and is reversed by decoding', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(percentEncode(text), encodeURIComponent(text));
        assert.equal(percentDecode(percentEncode(text)), text);
      }),
    );
  });

  it('replaces lone surrogates', () => {
    assert.equal(percentEncode('\ud800.yaml'), '%EF%BF%BD.yaml');
    assert.equal(percentEncode('a\udc00😀'), `a%EF%BF%BD${encodeURIComponent('😀')}`);
  });

  it('decodes no malformed text', () => {
    for (const text of ['100%', '%zz', '%ff', '%C3', '%ED%A0%80']) assert.equal(percentDecode(text), undefined);
  });
});
