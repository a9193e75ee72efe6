/** Tests that text of a workspace is shown verbatim, and never interpreted as markup. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  code,
  codeBlock,
  escapeMarkdown,
  link,
  sentenceMarkdown,
} from '../../server/src/features/presentation/markdown.ts';

describe('Markdown', () => {
  for (const [text, escaped] of [
    ['plain text-1.2', 'plain text-1.2'],
    ['*a* _b_ `c` ~d~', '&#42;a&#42; &#95;b&#95; &#96;c&#96; &#126;d&#126;'],
    ['[a](b) <c> &amp; |', '&#91;a&#93;(b) &#60;c&#62; &#38;amp; &#124;'],
    ['http://x', 'http:/\u200B/x'],
    ['www.example.com', 'www\u200B.example.com'],
    ['a@b.c', 'a\u200B@\u200Bb.c'],
    ['# a', '&#35; a'],
    ['- a', '&#45; a'],
    ['a_b _c', 'a_b &#95;c'],
    ['fixes #12', 'fixes #\u200B12'],
    ['GH-1', 'GH\u200B-1'],
    ['app=gh-12', 'app=gh\u200B-12'],
    ['high-1', 'high-1'],
    [
      '0123456789012345678901234567890123abcdef',
      '012345\u200B678901\u200B234567\u200B890123\u200B456789\u200B0123ab\u200Bcdef',
    ],
    ['    code', ' code'],
    ['\u001B[0m\u202Ea\ud800', '\uFFFD&#91;0m\uFFFDa\uFFFD'],
    ['1. a', '1&#46; a'],
    ['a\nb\r\nc', 'a b c'],
    ['a\\', 'a&#92;'],
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

  it('has links with the right end', () => {
    assert.equal(link('a]b', 'file:///a<b>c'), '[a&#93;b](<file:///a%3Cb%3Ec>)');
  });

  it('shows keys of a sentence as code', () => {
    assert.equal(sentenceMarkdown("`app_x` is 'a*b'"), "`app_x` is 'a&#42;b'");
  });
});
