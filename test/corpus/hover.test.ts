/** Does hovering a Service selector of a real shop show its workloads, asked as an editor asks? */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '../lsp/client.ts';
import { startServer, stopEverything } from '../lsp/start.ts';
import { corpusFolder, describeCorpus } from './corpus.ts';

const shop = join(corpusFolder, 'microservices-demo');
const folder = join(shop, 'kubernetes-manifests');

/** What each Service of the folder selects. Read once, by a person. */
const workloads: Readonly<Record<string, string>> = {
  adservice: 'adservice',
  cartservice: 'cartservice',
  checkoutservice: 'checkoutservice',
  currencyservice: 'currencyservice',
  emailservice: 'emailservice',
  frontend: 'frontend',
  'frontend-external': 'frontend',
  paymentservice: 'paymentservice',
  productcatalogservice: 'productcatalogservice',
  recommendationservice: 'recommendationservice',
  'redis-cart': 'redis-cart',
  shippingservice: 'shippingservice',
};

/** The file of a Deployment that does not have its name. */
const files: Readonly<Record<string, string>> = { 'redis-cart': 'cartservice' };

interface Selector {
  readonly service: string;
  readonly uri: string;
  /** Where its field `selector` is written. */
  readonly line: number;
}

describeCorpus('hovering the selectors of the microservices demo', () => {
  let client: Client;
  let found: readonly Selector[];
  before(async () => {
    client = await startServer({ folders: [pathToFileURL(shop).href] });
    found = await openServices(client);
    await client.whenReady();
  });
  after(stopEverything);

  it('meets each Service once', () => {
    assert.deepEqual(found.map(({ service }) => service).sort(), Object.keys(workloads).sort());
  });

  for (const [service, workload] of Object.entries(workloads)) {
    it(`of ${service} shows Deployment/${workload}, and no other`, async () => {
      const selector = found.find((each) => each.service === service);
      assert.ok(selector !== undefined);
      const hover = await client.hoverAt(selector.uri, { line: selector.line, character: 4 });
      assert.ok(hover !== null && typeof hover.contents === 'object' && 'value' in hover.contents);
      const [, count, list = ''] = /\*\*Matches\*\* \((\d+)\)\n((?:- .*\n?)*)/.exec(hover.contents.value) ?? [];
      assert.equal(count, '1', hover.contents.value);
      const target = `${pathToFileURL(folder).href}/${files[workload] ?? workload}.yaml`;
      assert.ok(list.startsWith(`- [Deployment/${workload}](<${target}#L`), list);
      assert.doesNotMatch(hover.contents.value, /May match|Near miss/);
    });
  }
});

/** Opens every file of the folder, and finds the selectors of its Services without our own reader. */
async function openServices(client: Client): Promise<readonly Selector[]> {
  const found: Selector[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml') && each !== 'kustomization.yaml')) {
    const text = readFileSync(join(folder, name), 'utf8');
    const uri = pathToFileURL(join(folder, name)).href;
    await client.open(uri, text);
    let line = 0;
    for (const document of text.split(/^---$/m)) {
      const lines = document.split('\n');
      const at = lines.findIndex((each) => each.startsWith('  selector:'));
      const [, service] = /^metadata:\n {2}name: (\S+)/m.exec(document) ?? [];
      if (/^kind: Service$/m.test(document) && at >= 0 && service !== undefined) {
        found.push({ service, uri, line: line + at });
      }
      line += lines.length - 1;
    }
  }
  return found;
}
