/** Can the tests of the project tell code from comments, texts and regular expressions? They would pass blindly else. */
import assert from 'node:assert/strict';
import { bareCode, importsOf, partsOf, regularExpressionsOf, sourcesIn } from './sources.ts';

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
`;
const source = { path: 'x.ts', text };

describe('the parts of a source file', () => {
  it('are together the file, for every file', () => {
    for (const each of [source, ...sourcesIn('server/src', 'client/src', 'test')]) {
      const parts = partsOf(each.text);
      assert.equal(parts.map((part) => part.text).join(''), each.text, each.path);
    }
  });

  it('tell what is imported', () => {
    assert.deepEqual(importsOf(source), [
      { from: 'node:path', typeOnly: false },
      { from: '../text/span.ts', typeOnly: true },
      { from: './many.ts', typeOnly: false },
      { from: './again.ts', typeOnly: false },
      { from: './bare.ts', typeOnly: false },
      { from: './late.ts', typeOnly: false },
    ]);
  });

  it('tell regular expressions from divisions and texts', () => {
    assert.deepEqual(regularExpressionsOf(source), ['/[/\'"]+\\/(x)/gu', '/y*/']);
  });

  it('leave the code inside of templates', () => {
    assert.equal(bareCode(source).match(/\bfetch\(/g)?.length, 1);
  });
});
