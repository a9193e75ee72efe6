/** Tests the custom placeholders of a team. */

import assert from 'node:assert/strict';
import { findOwnPlaceholders } from '../../server/src/manifests/placeholders/custom-placeholders.ts';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';

const found = (text: string, ...patterns: readonly string[]) =>
  findOwnPlaceholders(text, patterns).map(({ start, end }) => text.slice(start, end));

describe('placeholders of a team', () => {
  it('are between the texts before and after the name', () => {
    assert.deepEqual(found('a: @@x@@ b: @@Y-1.z_@@ c: @@@@ d: @@a b@@', '@@NAME@@'), ['@@x@@', '@@Y-1.z_@@']);
    assert.deepEqual(found('a%%b%%c', '%%NAME%%'), ['%%b%%']);
  });

  it('may have a delimiter on one side only', () => {
    assert.deepEqual(found('a: !x.y b: ! c', '!NAME'), ['!x.y']);
    assert.deepEqual(found('a: x.y! b: !', 'NAME!'), ['x.y!']);
  });

  it('may end in a character of names', () => {
    assert.deepEqual(found('__a__ __b_c__', '__NAME__'), ['__a__', '__b_c__']);
  });

  it('are each found once, the longer of two that begin at one offset', () => {
    assert.deepEqual(found('@@x@@ %y%', '@NAME@', '@@NAME@@', '%NAME%'), ['@@x@@', '%y%']);
  });

  it('are masked with all others, one character for one', () => {
    const text = 'a: !!x!! b: $(Y) c: {{ .Values.z }} d: plain\n';
    const blanked = blank(text, ['!!NAME!!']);
    assert.equal(blanked.text.length, text.length);
    assert.deepEqual(
      blanked.blanks.map(({ start, end }) => text.slice(start, end)),
      ['!!x!!', '$(Y)', '{{ .Values.z }}'],
    );
    assert.equal(blank('a: !!x!!\n').blanks.length, 0);
  });

  it('inside a template action are a part of it', () => {
    const text = 'a: {{ "!!x!!" }}\n';
    assert.deepEqual(
      blank(text, ['!!NAME!!']).blanks.map(({ start, end }) => text.slice(start, end)),
      ['{{ "!!x!!" }}'],
    );
  });

  it('of a hostile text are found in linear time', () => {
    const long = 'a'.repeat(30_000);
    assert.deepEqual(found('@@'.repeat(30_000), '@@NAME@@'), []);
    assert.deepEqual(found(`@@${long}`, '@@NAME@@', 'NAME@@', 'aNAMEa!'), []);
  });
});
