/** Tests that a rename keeps every match in the workspaces of shops. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { checkRename, namesIn, sessionOver } from '../harness/random-renames.ts';
import { describeCorporaWith } from './corpus.ts';

/** The sources whose names are renamed, and the minimum number of names in each. */
const shops = {
  own: [
    { source: 'web-shop', least: 40 },
    { source: 'forum', least: 25 },
  ],
  shared: [{ source: 'microservices-demo', least: 400 }],
};

function manifests(shop: string): ReadonlyMap<string, string> {
  const names = readdirSync(shop, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ya?ml|json)$/.test(name));
  return new Map(names.map((name) => [pathToFileURL(join(shop, name)).href, readFileSync(join(shop, name), 'utf8')]));
}

describeCorporaWith('a rename', shops, (corpus, found) => {
  for (const { source, least } of found) {
    it(`preserves every match in ${source}, whatever is renamed`, async () => {
      const shop = join(corpus.folder, source);
      const folder = pathToFileURL(shop).href;
      const texts = manifests(shop);
      const session = await sessionOver(texts, folder);
      const names = namesIn(session, texts);
      assert.ok(names.length > least, `${names.length} names`);
      let done = 0;
      const property = fc.asyncProperty(fc.constantFrom(...names), async (name) => {
        if (await checkRename(session, texts, folder, name, 'never-seen')) done++;
      });
      await fc.assert(property, { numRuns: 60 });
      assert.ok(done > 30, `${done} renames were made`);
    });
  }
});
