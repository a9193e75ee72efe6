/** Pairs of names that are misspellings of each other, and pairs that are variants of one name. */

import assert from 'node:assert/strict';
import { differInPlural, misspelling } from '../../server/src/text/misspelling.ts';

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

it('differs from another name in the plural of one short word', () => {
  for (const pair of ['api apis', 'cluster-var cluster-vars', 'shop-api-x shop-apis-x']) {
    const [one = '', other = ''] = pair.split(' ');
    assert.equal(differInPlural(one, other) && differInPlural(other, one), true, pair);
  }
  for (const pair of ['db dbs', 'web web', 'web webb', 'api-x apis-y', 'api apis-x', 'basket baskets'])
    assert.equal(differInPlural(pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? ''), false, pair);
});
