/** Tests the link checker of the documentation site. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadLinks } from '../../docs/.vitepress/dead-links.ts';

describe('the link checker of the site', () => {
  it('reports missing pages, files and headings, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'selector-lens-site-'));
    mkdirSync(join(folder, 'a'));
    const links = [
      ...['a/b.html', '/base/a/b.html#one', '#here', 'https://example.org/x', 'mailto:a@example.org', '/base/a/'],
      ...['a/c.html', '/base/a/b.html#two', '/elsewhere/', 'a'],
    ];
    const page = links.map((link) => `<a href="${link}">x</a>`).join('');
    writeFileSync(join(folder, 'index.html'), `<h1 id="here">x</h1>${page}<img src="none.png">`);
    writeFileSync(join(folder, 'a/b.html'), '<h2 id="one">x</h2><a href="../index.html">x</a>');
    writeFileSync(join(folder, 'a/index.html'), '');
    const found = deadLinks(folder, '/base/');
    rmSync(folder, { recursive: true });
    assert.deepEqual(
      found.map(({ page, link }) => `${page} ${link}`),
      ['a/c.html', '/base/a/b.html#two', '/elsewhere/', 'a', 'none.png'].map((link) => `index.html ${link}`),
    );
  });
});
