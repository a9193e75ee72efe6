/** Tests the functions that find imports, regular expressions and code in a source file. */
import assert from 'node:assert/strict';
import { bareCode, importsOf, regularExpressionsOf } from './sources.ts';

const text = `/** import { a } from 'not/this' */
import { join } from 'node:path';
import type { Span } from '../text/span.ts';
import {
  one,
  two,
} from './many.ts';
import './bare.ts';
export * from './again.ts';
// fetch('not this')
const half = (a + b) / 2 / c;
const pattern = /[/'"]+\\/(x)/gu.exec(\`a \${fetch(\`b \${/y*/.test(z) ? '}' : "{"}\`)} // c\`);
const late = await import('./late.ts');
const old = require('node:vm');
type Far = import('./far.ts').Far;
import { type Only } from './only.ts';
`;
const source = { path: 'x.ts', text };

describe('the parts of a source file', () => {
  it('include imports', () => {
    assert.deepEqual(importsOf(source), [
      { from: 'node:path', typeOnly: false },
      { from: '../text/span.ts', typeOnly: true },
      { from: './many.ts', typeOnly: false },
      { from: './bare.ts', typeOnly: false },
      { from: './again.ts', typeOnly: false },
      { from: './late.ts', typeOnly: false },
      { from: 'node:vm', typeOnly: false },
      { from: './far.ts', typeOnly: true },
      // It remains in the compiled file as an import without names.
      { from: './only.ts', typeOnly: false },
    ]);
  });

  it('distinguish regular expressions from divisions and texts', () => {
    assert.deepEqual(regularExpressionsOf(source), ['/[/\'"]+\\/(x)/gu', '/y*/']);
  });

  it('exclude the code inside of templates', () => {
    assert.equal(bareCode(source).match(/\bfetch\(/g)?.length, 1);
    assert.equal(bareCode(source).length, text.length);
  });
});
