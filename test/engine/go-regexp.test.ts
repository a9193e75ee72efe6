/** Tests the validation of regular expressions against verdicts of Go. */

import assert from 'node:assert/strict';
import { isGoRegexp } from '../../server/src/engine/go-regexp.ts';

describe('regular expressions of Go', () => {
  const valid = [
    ...['', '/', '/api/.*', '/a/[^/]+/b$', 'GET|POST', '(a|)b', '^*', '[]a]', '[^]a]', '[a\\-z]', '[\\d-z]', 'a(?i)*'],
    ...[
      'a{,3}',
      'a{01}',
      '{',
      'a*?',
      '(?:a*)*',
      '(?i-s:a)',
      '\\/',
      '\\.',
      'a{1000}',
      'x{2,}?',
      '[-a]',
      '[a-]',
      ']',
      '}',
    ],
  ];
  const invalid = [
    ...['*', '+a', 'a|*', '(*)', 'a**', 'a*+', 'a{2}{3}', 'a{1001}', 'a{3,1}', '(a', 'a)', '[a', '[]', '[^]', '[z-a]'],
    ...['/(?!admin).*', '(?=a)', '(?<!a)', '(?i-)', '\\', '\\8', '\\Z', '[\\b]', '[a-\\d]', '(?i)*', '{5}', 'a\\'],
  ];
  const undetermined = ['\\p{Greek}', '(?P<a>b)', '(?<a>b)', '[[:alpha:]]', '\\x41', '\\Q*', 'é', '(a{500}){500}'];
  for (const [expected, texts] of [
    ['yes', valid],
    ['no', invalid],
    ['maybe', [...undetermined, 'a'.repeat(2000)]],
  ] as const)
    it(`are valid: ${expected}`, () => {
      for (const text of texts) assert.equal(isGoRegexp(text), expected, text);
    });
});
