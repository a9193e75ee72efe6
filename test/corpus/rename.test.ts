/** Does a rename in a real shop leave every match as it was? */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { checkRename, namesIn, serviceOver } from '../harness/random-renames.ts';
import { corpusFolder, describeCorpus } from './corpus.ts';

const shop = join(corpusFolder, 'microservices-demo');
const folder = pathToFileURL(shop).href;

function manifests(): ReadonlyMap<string, string> {
  const names = readdirSync(shop, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ya?ml|json)$/.test(name));
  return new Map(names.map((name) => [pathToFileURL(join(shop, name)).href, readFileSync(join(shop, name), 'utf8')]));
}

describeCorpus('a rename in the microservices demo', () => {
  it('leaves every match as it was, whatever is renamed', async () => {
    const texts = manifests();
    const service = await serviceOver(texts, folder);
    const names = namesIn(service, texts);
    assert.ok(names.length > 400, `${names.length} names`);
    let done = 0;
    const property = fc.asyncProperty(fc.constantFrom(...names), async (name) => {
      if (await checkRename(service, texts, folder, name, 'never-seen')) done++;
    });
    await fc.assert(property, { numRuns: 60 });
    assert.ok(done > 50, `${done} renames were made`);
  });
});
