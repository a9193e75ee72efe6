/** Tests how Kubernetes decodes unquoted scalars, and which strings must be quoted. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'yaml';
import { scalarText } from '../../server/src/manifests/write/write-text.ts';
import { needsQuotes, plainKey, plainType, type ScalarType } from '../../server/src/manifests/yaml/scalar-types.ts';

const types: Readonly<Record<ScalarType, readonly string[]>> = {
  boolean: ['y Y yes Yes YES true True TRUE on On ON', 'n N no No NO false False FALSE off Off OFF'].flatMap((words) =>
    words.split(' '),
  ),
  null: ['', '~', 'null', 'Null', 'NULL'],
  number: [
    '0 1 -1 +1 12 1.5 1.10 1. .5 -.5 +.5 1e3 1E3 1e+3 1.5e-3 1_000 1_0 0x1F 0X1f -0x1 0o14 012 010 00 0b101 0B1',
    '.inf -.inf +.inf .Inf .INF .nan .NaN .NAN 9223372036854775808 12345678901234567890123',
  ].flatMap((words) => words.split(' ')),
  string: [
    'yEs tRUE oN nO truee yes! on-call Y2 NULLs nULL ~~ none nil',
    '2020-01-01 2020-01-01T10:30:00Z 12:30 1:2:3 NaN nan inf Infinity +inf infinity',
    '1.2.3 v1 1a 0x 0xg 0b2 0o9 1e e3 1e3x -- + - . _1 1-2 0x1.8 ++1 1+1',
  ].flatMap((words) => words.split(' ')),
};

describe('plain scalars', () => {
  for (const [type, texts] of Object.entries(types)) {
    it(`that are ${type}`, () => {
      const wrong = texts.filter((text) => plainType(text) !== type);
      assert.deepEqual(wrong, []);
    });
  }

  for (const [typed, key] of [
    ['y', 'true'],
    ['on', 'true'],
    ['True', 'true'],
    ['n', 'false'],
    ['OFF', 'false'],
    ['010', '8'],
    ['0x1F', '31'],
    ['0b11', '3'],
    ['1.0', '1'],
    ['250000.0', '250000'],
    ['1e6', '1e+06'],
    ['-12.5e20', '-1.25e+21'],
    ['0.0003', '0.0003'],
    ['.00003', '3e-05'],
    ['0.1234567891', '0.12345679'],
    ['+.inf', '.inf'],
    ['-.INF', '-.inf'],
    ['.NaN', '.nan'],
    ['1.50', '1.5'],
    ['1_000', '1000'],
    ['-7', '-7'],
    ['18446744073709551615', '18446744073709551615'],
    ['app', 'app'],
    ['2020-01-01', '2020-01-01'],
  ] as const) {
    it(`as a key: ${typed} is "${key}"`, () => assert.equal(plainKey(typed), key));
  }
});

describe('a string in YAML', () => {
  for (const text of ['web', 'web-1', 'v1.2.3', '2020-01-01', '1a', 'a:b', 'a#b', '-a', '?a', ':a', 'größe', 'a b']) {
    it(`needs no quotes: ${text}`, () => assert.equal(needsQuotes(text), false));
  }

  for (const text of [
    ...types.boolean,
    ...types.null,
    ...types.number,
    ...['- a', '? a', ': a', '-', '?', ':', '#a', '&a', '*a', '!a', '|', '>', "'a", '"a', '%a', '@a', '`a', '{a', '[a'],
    ...[
      'a: b',
      'a #b',
      'a:',
      'a ',
      ' a',
      '\ta',
      'a\nb',
      'a\u0000',
      'a,b',
      'a}',
      'a]',
      '---',
      '...',
      '<<',
      '=',
      '\ufeffa',
    ],
  ]) {
    it(`needs quotes: ${JSON.stringify(text)}`, () => assert.equal(needsQuotes(text), true));
  }

  it('is parsed as exactly this string, in a block and in braces', () => {
    const piece = fc.constantFrom(
      ...' \t\n:#-?,[]{}&*!|>\'"%@`.~=<aB0_é\u2028\u0007',
      '1.10',
      'yes',
      ': ',
      ' #',
      '---',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('plain', 'single', 'double'), (pieces, style) => {
        const text = pieces.join('');
        const written = scalarText(text, style);
        if (!/^["']/.test(written)) assert.equal(plainType(written), 'string');
        for (const document of [`a: ${written}\nb: c\n`, `{a: ${written}, b: c}`]) {
          assert.deepEqual(parse(document, { schema: 'failsafe' }), { a: text, b: 'c' }, document);
        }
      }),
    );
  });
});
