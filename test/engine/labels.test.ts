/** Tests the positions and messages of every fault of a key, value or name. */

import assert from 'node:assert/strict';
import {
  isReservedPrefix,
  maxAnnotationsBytes,
  type Problem,
  validateAnnotationKey,
  validateAnnotations,
  validateLabelKey,
  validateLabelValue,
  validateName,
} from '../../server/src/engine/index.ts';

/** A text with its problems, each printed as `code 'affected text': message`. */
function says(
  validate: (text: string) => readonly Problem[],
  cases: readonly (readonly [text: string, ...problems: string[]])[],
): void {
  for (const [text, ...expected] of cases) {
    it(text.length > 40 ? `${text.slice(0, 20)}... (${text.length})` : `'${text}'`, () => {
      const printed = validate(text).map(
        ({ code, message, start, end }) => `${code} '${text.slice(start, end)}': ${message}`,
      );
      assert.deepEqual(printed, expected);
    });
  }
}

describe('label keys', () => {
  says(validateLabelKey, [
    ['app.kubernetes.io/name'],
    ['example.com/Foo'],
    ['a..b'],
    ['a'.repeat(63)],
    [`${'a'.repeat(253)}/x`],
    ['a'.repeat(65), `name-too-long 'aa': label key must be no more than 63 bytes: shorten it by 2`],
    [
      `${'a'.repeat(254)}/x`,
      `prefix-too-long 'a': prefix of the label key must be no more than 253 bytes: shorten it by 1`,
    ],
    ['a b!', `name-syntax ' ': label key must not contain ' ': use only letters, digits, '-', '_' and '.'`],
    ['-a', `name-syntax '-': label key must begin with a letter or digit: remove or replace '-'`],
    ['x.io/a_', `name-syntax '_': name of the label key must end with a letter or digit: remove or replace '_'`],
    ['Example.com/foo', `prefix-syntax 'E': prefix of the label key must be in lower case: write 'example.com'`],
    [
      'a..b/c',
      `prefix-syntax '.': each part of the prefix of the label key must end with a lower-case letter or digit: remove or replace '.'`,
    ],
    ['a/b/c', `key-too-many-slashes '/c': label key must have no more than one '/', between its prefix and its name`],
    [
      '/',
      `prefix-empty '/': prefix of the label key must not be empty: add a DNS subdomain before the '/', or remove the '/'`,
      `name-empty '': name of the label key must not be empty`,
      `name-syntax '': name of the label key must have at least one letter or digit`,
    ],
    [
      'a\u200bb',
      `name-syntax '\u200b': label key must not contain 'U+200B': use only letters, digits, '-', '_' and '.'`,
    ],
  ]);
});

describe('label values', () => {
  const [shape] = [`use only letters, digits, '-', '_' and '.'`];
  says(validateLabelValue, [
    [''],
    ['1.2_3-X'],
    ['a'.repeat(63)],
    ['a@@b', `value-syntax '@@': label value must not contain '@@': ${shape}`],
    ['a/b', `value-syntax '/': label value must not contain '/': ${shape}`],
    ['é'.repeat(31), `value-syntax '${'é'.repeat(31)}': label value must not contain '${'é'.repeat(31)}': ${shape}`],
    [
      `${'é'.repeat(31)}ab`,
      `value-too-long 'b': label value must be no more than 63 bytes: shorten it by 1`,
      `value-syntax '${'é'.repeat(31)}': label value must not contain '${'é'.repeat(31)}': ${shape}`,
    ],
  ]);
});

describe('annotations', () => {
  says(validateAnnotationKey, [
    ['Example.COM/Foo'],
    ['\u212a\u0130/x'],
    [
      '\u0130_/x',
      `prefix-syntax '_': prefix of the annotation key must not contain '_': use only lower-case letters, digits, '-' and '.'`,
    ],
  ]);

  it('may have 256 KiB in all, keys and values together', () => {
    const full = { key: 'v'.repeat(maxAnnotationsBytes - 3) };
    assert.deepEqual(validateAnnotations(full), []);
    assert.deepEqual(
      validateAnnotations({ ...full, 'a b': 'é' }).map(({ code, path }) => [code, path]),
      [
        ['name-syntax', ['a b']],
        ['annotations-too-large', []],
      ],
    );
  });
});

describe('names', () => {
  const subdomain = (text: string): readonly Problem[] => validateName('dns1123Subdomain', text);
  says(subdomain, [
    [`${'a'.repeat(64)}.b`],
    ['Web', `name-syntax 'W': name must be in lower case: write 'web'`],
    ['my_app', `name-syntax '_': name must not contain '_': use only lower-case letters, digits, '-' and '.'`],
    ['', `name-empty '': name must not be empty`],
  ]);
  says(
    (text) => validateName('dns1035Label', text),
    [
      ['1a', `name-syntax '1': name must begin with a lower-case letter: remove or replace '1'`],
      ['a.b', `name-syntax '.': name must not contain '.': use only lower-case letters, digits and '-'`],
      ['a'.repeat(64), `name-too-long 'a': name must be no more than 63 bytes: shorten it by 1`],
    ],
  );
  says(
    (text) => validateName('pathSegment', text),
    [
      [''],
      ['system:node'],
      ['..', `name-reserved '..': name must not be '..': choose another`],
      [
        'a/b%',
        `name-syntax '/': name must not contain '/': remove or replace it`,
        `name-syntax '%': name must not contain '%': remove or replace it`,
      ],
    ],
  );
  says(
    (text) => validateName('dns1123Label', text, { prefix: true }),
    [
      ['web-'],
      ['Web-', `name-syntax 'W': name must be in lower case: write 'web-'`],
      ['a.-'],
      ['--'],
      [`${'a'.repeat(63)}-`],
      ['-', `name-syntax '-': name must begin with a lower-case letter or digit: remove or replace '-'`],
      [`${'a'.repeat(64)}-`, `name-too-long '-': name must be no more than 64 bytes: shorten it by 1`],
    ],
  );
});

describe('reserved prefixes', () => {
  it('are kubernetes.io, k8s.io and what is below them', () => {
    for (const prefix of ['kubernetes.io', 'k8s.io', 'app.kubernetes.io', 'a.b.k8s.io'])
      assert.ok(isReservedPrefix(prefix), prefix);
    for (const prefix of ['', 'mykubernetes.io', 'kubernetes.io.example.com', 'example.com'])
      assert.ok(!isReservedPrefix(prefix), prefix);
  });
});
