/** Tests that each promise in SECURITY.md names existing tests, and the promises about the sources that no other test covers. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, sourcesIn } from './sources.ts';

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const promises = text.slice(text.indexOf('## Promises'), text.indexOf('## Not promised'));
/** The items of all lists, each on one line. */
const items = promises
  .replace(/\n {2,}/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('- '));

describe('the promises in SECURITY.md', () => {
  it('name existing tests', () => {
    assert.ok(items.length > 20);
    for (const item of items) {
      const [, named = ''] = /\(([^()]*)\)$/.exec(item) ?? [];
      const paths = named.split(/, |campaigns? /).flatMap((each) => /^`([^`]+)`$/.exec(each)?.[1] ?? []);
      assert.ok(paths.length > 0, `no test: ${item}`);
      for (const path of paths) {
        const file = path.startsWith('test/') ? path : `test/campaigns/${path}.test.ts`;
        assert.ok(file.endsWith('.test.ts') && existsSync(join(root, file)), `${file} does not exist: ${item}`);
      }
    }
  });

  it('are true for the modules that open files', () => {
    const opening = sourcesIn('server/src').filter(({ text: source }) =>
      /import \{[^}]*\b(?:open|openSync|readFile|readFileSync)\b[^}]*\} from 'node:fs(?:\/promises)?'/.test(source),
    );
    assert.deepEqual(
      opening.map(({ path }) => path),
      [
        'server/src/node/git/pack.ts',
        'server/src/node/read-file.ts',
        'server/src/node/replace-text.ts',
        'server/src/node/write-file.ts',
      ],
    );
  });

  it('are true for the policy of the only webview', () => {
    const pages = sourcesIn('client/src').filter((source) => source.text.includes('Content-Security-Policy'));
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['client/src/map-page.ts'],
    );
    assert.match(pages[0]?.text ?? '', /default-src 'none'; script-src 'nonce-\$\{nonce\}'; style-src/);
    const views = sourcesIn('client/src').filter((source) => /createWebviewPanel|registerWebview/.test(source.text));
    assert.equal(views.length, 1);
  });
});
