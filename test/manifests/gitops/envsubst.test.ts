/** Tests the variables of Flux: their forms, functions and escapes, which differ from those of a shell. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseVariables, substitute, variablesIn } from '../../../server/src/manifests/gitops/envsubst.ts';

const values: Readonly<Record<string, string>> = {
  v: 'Value',
  empty: '',
  path: 'abc.tar.gz',
  words: 'one two one',
  umlaut: 'ä',
  b: 'x',
};

/** The text after substitution; a part whose value is unknown is in angle brackets, an unset variable in `unset`. */
function result(text: string): string {
  const { pieces, unset } = substitute(text, (name) => (name === 'secret' ? { unknown: true } : values[name]));
  const shown = pieces.map((piece) => (typeof piece === 'string' ? piece : `<${piece.unknown}>`)).join('');
  return unset.length === 0 ? shown : `${shown} unset: ${unset.map(({ name }) => name).join(', ')}`;
}

describe('variables of Flux', () => {
  for (const line of readFileSync(new URL('envsubst.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const [text = '', expected = ''] = line.split(' → ');
    it(`make '${expected}' of '${text}'`, () => {
      const isMalformed = parseVariables(text).malformedAt !== undefined;
      assert.equal(isMalformed ? 'malformed' : result(text), expected);
      if (isMalformed) assert.equal(result(text), `<${text}>`);
    });
  }

  it('have their positions, also in defaults', () => {
    const text = `a \${one:=b \${two}} \${#three}`;
    const found = variablesIn(parseVariables(text));
    assert.deepEqual(
      found.map(({ start, end, nameStart, name }) => [text.slice(start, end), text.slice(nameStart), name]),
      [
        [`\${one:=b \${two}}`, `one:=b \${two}} \${#three}`, 'one'],
        [`\${two}`, `two}} \${#three}`, 'two'],
        [`\${#three}`, 'three}', 'three'],
      ],
    );
  });

  it('are malformed if their defaults nest too deeply', () => {
    const nested = (depth: number) => `\${a:=`.repeat(depth) + '}'.repeat(depth);
    assert.equal(parseVariables(nested(20)).malformedAt, undefined);
    assert.notEqual(parseVariables(nested(60)).malformedAt, undefined);
  });

  it('are parsed in linear time', () => {
    for (const part of ['${', '${a:=', '$$', '${a/', '\\/', '${a#*'])
      assert.ok(parseVariables(part.repeat(50_000)).parts.length >= 0);
    const long = 'a'.repeat(1_000);
    assert.deepEqual(substitute(`\${v##${'*a'.repeat(50)}b}`, () => long).pieces, [long]);
  });
});
