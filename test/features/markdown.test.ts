/** Is what a person typed shown as it is, and never as markup? */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { code, codeBlock, escapeMarkdown, link, sentenceMarkdown } from '../../server/src/features/markdown.ts';

describe('Markdown', () => {
  for (const [text, escaped] of [
    ['plain text-1.2', 'plain text-1.2'],
    ['*a* _b_ `c` ~d~', '\\*a\\* \\_b\\_ \\`c\\` \\~d\\~'],
    ['[a](b) <c> &amp; |', '\\[a\\](b) \\<c\\> \\&amp; \\|'],
    ['http://x', 'http\\://x'],
    ['www.example.com', 'www\\.example.com'],
    ['a@b.c', 'a\\@b.c'],
    ['# a', '\\# a'],
    ['- a', '\\- a'],
    ['1. a', '1\\. a'],
    ['a\nb\r\nc', 'a b c'],
    ['a\\', 'a\\\\'],
  ] as const) {
    it(`of ${JSON.stringify(text)}`, () => assert.equal(escapeMarkdown(text), escaped));
  }

  it('has a fence longer than any run of backticks', () => {
    assert.equal(code('a'), '`a`');
    assert.equal(code('a`b'), '`` a`b ``');
    assert.equal(codeBlock('```', 'sh'), '````sh\n```\n````');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', 'a', ' ')), (parts) => {
        const fence = /^`+/.exec(code(`x${parts.join('')}`))?.[0] ?? '';
        assert.equal(parts.join('').split(/[^`]+/).includes(fence), false);
      }),
    );
  });

  it('has links that end where they should', () => {
    assert.equal(link('a]b', 'file:///a<b>c'), '[a\\]b](<file:///a%3Cb%3Ec>)');
  });

  it('keeps keys of a sentence as code', () => {
    assert.equal(sentenceMarkdown("`app_x` is 'a*b'"), "`app_x` is 'a\\*b'");
  });
});
