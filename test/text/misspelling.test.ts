/** Pairs of names that are misspellings of each other, and pairs that are variants of one name. */

import assert from 'node:assert/strict';
import { misspelling, slightDifference } from '../../server/src/text/misspelling.ts';

const expected: Readonly<Record<string, readonly string[]>> = {
  evident: [
    'basket baskte',
    'reviews reveiws',
    'shop-web shop_web',
    'shopweb shop-web',
    'Basket basket',
    'blogPost blog-post',
    'frontend frotnend',
  ],
  likely: [
    'basket baskets',
    'basket baset',
    'gateway gatewey',
    'jellyfin jellyfi',
    'load loda',
    'frontend fronten',
    'recommendation recomendatoin',
    'shop-basket shop-baskett',
    'app.kubernetes.io/name app.kubernetes.io/naem',
    'metrics netrics',
  ],
  possible: ['auth outh', 'webb web', 'sender server', 'reader leader', 'wbe web'],
  none: [
    'api apis',
    'web web',
    'web-1 web-2',
    'web web-1',
    'v1 v2',
    'blue green',
    'primary replica',
    'dev prod',
    'cache-eu cache-us',
    'cache-ro cache-rw',
    'team-a team-b',
    'basket basket-x',
    'my-basket basket',
    'db dbs',
    'a b',
    'in on',
    'frontend backend',
    'shard10 shard01',
  ],
};

describe('one name', () => {
  for (const [likeness, pairs] of Object.entries(expected)) {
    for (const pair of pairs) {
      const [one = '', other = ''] = pair.split(' ');
      it(`is as a misspelling of another one ${likeness}: ${pair}`, () => {
        assert.equal(misspelling(one, other) ?? 'none', likeness);
        assert.equal(misspelling(other, one) ?? 'none', likeness);
      });
    }
  }
});

const slight: Readonly<Record<string, readonly string[]>> = {
  swap: ['catalog-db catalog-bd', 'api-tls api-tsl', 'web wbe'],
  plural: ['api apis', 'cluster-vars cluster-var', 'shop-api-x shop-apis-x', 'basket baskets'],
  letters: ['web-config web-conf', 'app apq', 'shop-web shop-weeb', 'web webb'],
  none: [
    ...['web web', 'web-1 web-2', 'api-v1 api-v2', 'dev prd', 'blue green', 'a b', 'db bd', 'db dbs', 'web we'],
    ...['cache-ro cache-rw', 'cache-eu cache-us', 'team-a team-b', 'api-x apis-y', 'api apis-x', 'conf config'],
  ],
};

describe('a slight difference', () => {
  for (const [difference, pairs] of Object.entries(slight)) {
    for (const pair of pairs) {
      const [one = '', other = ''] = pair.split(' ');
      it(`is ${difference}: ${pair}`, () => {
        assert.equal(slightDifference(one, other) ?? 'none', difference);
        assert.equal(slightDifference(other, one) ?? 'none', difference);
      });
    }
  }
});
