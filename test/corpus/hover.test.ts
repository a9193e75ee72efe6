/** Tests that hovering the selector of a Service shows its workloads, over the protocol. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '../lsp/client.ts';
import { startServer, stopEverything } from '../lsp/start.ts';
import { describeCorporaWith } from './corpus.ts';

interface Shop {
  /** The opened folder, and the one with its manifests. */
  readonly source: string;
  readonly folder: string;
  /** The matches of each Service in the folder, determined by hand. */
  readonly workloads: Readonly<Record<string, string>>;
  /** The file of a workload, if its name differs from that of the workload. */
  readonly files: Readonly<Record<string, string>>;
  /** The near miss of each Service, if it has one. */
  readonly nearMisses: Readonly<Record<string, string>>;
}

const shops: Readonly<Record<'own' | 'shared', Shop>> = {
  own: {
    source: 'web-shop',
    folder: '.',
    workloads: {
      storefront: 'Deployment/storefront',
      cart: 'Deployment/cart',
      'cart-redis': 'StatefulSet/cart-redis',
      catalog: 'Deployment/catalog',
      'catalog-search': 'Deployment/catalog-search',
    },
    files: { 'catalog-search': 'catalog' },
    nearMisses: { catalog: 'Deployment/catalog-search', 'catalog-search': 'Deployment/catalog' },
  },
  shared: {
    source: 'microservices-demo',
    folder: 'kubernetes-manifests',
    workloads: {
      adservice: 'Deployment/adservice',
      cartservice: 'Deployment/cartservice',
      checkoutservice: 'Deployment/checkoutservice',
      currencyservice: 'Deployment/currencyservice',
      emailservice: 'Deployment/emailservice',
      frontend: 'Deployment/frontend',
      'frontend-external': 'Deployment/frontend',
      paymentservice: 'Deployment/paymentservice',
      productcatalogservice: 'Deployment/productcatalogservice',
      recommendationservice: 'Deployment/recommendationservice',
      'redis-cart': 'Deployment/redis-cart',
      shippingservice: 'Deployment/shippingservice',
    },
    files: { 'redis-cart': 'cartservice' },
    nearMisses: {},
  },
};

interface Selector {
  readonly service: string;
  readonly uri: string;
  /** The line of its field `selector`. */
  readonly line: number;
}

describeCorporaWith(
  'hovering the selectors of a shop',
  shops,
  (corpus, { source, folder: within, workloads, files, nearMisses }) => {
    const shop = join(corpus.folder, source);
    const folder = join(shop, within);
    let client: Client;
    let found: readonly Selector[];
    before(async () => {
      client = await startServer({ folders: [pathToFileURL(shop).href] });
      found = await openServices(client, folder);
      await client.whenReady();
    });
    after(stopEverything);

    it('includes each Service once', () => {
      assert.deepEqual(found.map(({ service }) => service).sort(), Object.keys(workloads).sort());
    });

    for (const [service, workload] of Object.entries(workloads)) {
      it(`of ${service} shows that it matches ${workload} only`, async () => {
        const selector = found.find((each) => each.service === service);
        assert.ok(selector !== undefined);
        const hover = await client.hoverAt(selector.uri, { line: selector.line, character: 4 });
        assert.ok(hover !== null && typeof hover.contents === 'object' && 'value' in hover.contents);
        const [, count, list = ''] = /\*\*Matches\*\* \((\d+)\)\n((?:- .*\n?)*)/.exec(hover.contents.value) ?? [];
        assert.equal(count, '1', hover.contents.value);
        const name = workload.slice(workload.indexOf('/') + 1);
        const target = pathToFileURL(join(folder, `${files[name] ?? name}.yaml`)).href;
        assert.ok(list.startsWith(`- [${workload}](<${target}#L`), list);
        assert.doesNotMatch(hover.contents.value, /May match/);
        const [, miss] = /\*\*Near miss\*\* \(1\)\n- \[([^\]]*)\]/.exec(hover.contents.value) ?? [];
        assert.equal(miss, nearMisses[service]);
        assert.equal(hover.contents.value.includes('Near miss'), miss !== undefined);
      });
    }
  },
);

/** Opens every file of the folder, and finds the selectors of its Services without our own parser. */
async function openServices(client: Client, folder: string): Promise<readonly Selector[]> {
  const found: Selector[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml') && each !== 'kustomization.yaml')) {
    const text = readFileSync(join(folder, name), 'utf8');
    const uri = pathToFileURL(join(folder, name)).href;
    await client.open(uri, text);
    let line = 0;
    for (const document of text.split(/^---$/m)) {
      const lines = document.split('\n');
      const at = lines.findIndex((each) => each.startsWith('  selector:'));
      const [, service] = /^metadata:\n(?: {2}\w+: .*\n)*? {2}name: (\S+)/m.exec(document) ?? [];
      if (/^kind: Service$/m.test(document) && at >= 0 && service !== undefined) {
        found.push({ service, uri, line: line + at });
      }
      line += lines.length - 1;
    }
  }
  return found;
}
