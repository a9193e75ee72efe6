/**
 * Tests that features have equal content as Markdown and as plain text, and that text of a workspace never becomes
 * markup.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  paragraph,
  type RichText,
  sentence,
  toMarkdown,
  toPlainText,
} from '../../server/src/features/presentation/rich-text.ts';
import { hostilePieces, renderMarkdown } from '../harness/rendered-markdown.ts';

const place = { uri: 'file:///a', position: { line: 1, character: 2 } };

const text: RichText = [
  paragraph({ kind: 'strong', text: 'Selects' }, ' ', ...sentence("Pods where `app` is 'a*b'.")),
  { kind: 'code', text: 'kubectl get pods', language: 'sh' },
  paragraph({ kind: 'command', command: 'copy', text: '', title: 'Copy', argument: { text: 'a)>b' } }),
  paragraph({ kind: 'emphasis', text: 'list' }),
  {
    kind: 'list',
    lines: [
      [{ kind: 'link', text: 'a[b]', target: 'file:///a' }, ' in ', { kind: 'code', text: 'x' }],
      [{ kind: 'command', command: 'preview', text: 'and 3 more', title: 'and 3 more: show all', argument: place }],
    ],
  },
];

describe('rich text', () => {
  it('is Markdown', () => {
    assert.equal(
      toMarkdown(text),
      "**Selects** Pods where `app` is 'a&#42;b'.\n\n```sh\nkubectl get pods\n```\n\n*list*\n- [a&#91;b&#93;](<file:///a>) in `x`\n- and 3 more",
    );
  });

  it('contains links to the commands of an editor that supports them', () => {
    const shown = toMarkdown(text, { copy: 'c', preview: 'p' });
    const argument = encodeURIComponent(JSON.stringify([{ text: 'a)>b' }])).replace(')', '%29');
    assert.ok(shown.includes(`\n\n[Copy](<command:c?${argument}>)\n\n`), shown);
    assert.ok(shown.includes('- [and 3 more: show all](<command:p?'), shown);
  });

  it('is plain text', () => {
    assert.equal(
      toPlainText(text),
      "Selects Pods where app is 'a*b'.\n\nkubectl get pods\n\nlist\n- a[b] in x\n- and 3 more",
    );
  });

  it('contains no link, image or HTML but ours, in any renderer', () => {
    const hostile = fc.array(fc.constantFrom(...hostilePieces), { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(hostile, hostile, hostile, (words, more, target) => {
        const shown = toMarkdown(
          [
            paragraph(words, more),
            paragraph({ kind: 'strong', text: words }, ...sentence(`${more} is \`${words}\``)),
            { kind: 'list', lines: [[words], [{ kind: 'code', text: words }, more]] },
            paragraph({ kind: 'link', text: words, target: `file:///${target}` }, more),
            { kind: 'code', text: words, language: 'yaml' },
            paragraph({ kind: 'command', command: 'copy', text: words, title: more, argument: { text: words } }),
          ],
          { copy: 'selectorLens.copy' },
        );
        for (const { by, links, foreign } of renderMarkdown(shown)) {
          assert.deepEqual(foreign, [], `${by} made of ${shown}`);
          assert.deepEqual(
            links.map((link) => link.replace(/(?<=^file:\/\/\/|\?).*/, '')),
            ['file:///', 'command:selectorLens.copy?'],
            `${by} made of ${shown}`,
          );
        }
      }),
      { numRuns: 2000, examples: [['/', '/mailto:me@host.io', '']] },
    );
  });
});
