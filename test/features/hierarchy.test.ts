/**
 * Tests the call hierarchy from a Prometheus to pods, in both directions, and the search for objects and labels by
 * name.
 */

import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { shop } from './shop.ts';

describe('the call hierarchy of selections', () => {
  let b: Bench;
  before(async () => {
    b = await bench(shop);
  });

  it('leads from selecting to selected objects', () => {
    assert.equal(
      b.selects('prometheus'),
      lines(`
        Prometheus/main (monitoring · prometheus.yaml)
          ServiceMonitor/basket (monitoring · monitor.yaml)
            Service/basket (shop · ../shop/service.yaml · elsewhere)
              Deployment/basket (shop · deployment.yaml)
      `),
    );
  });

  it('leads back', () => {
    assert.equal(
      b.selectedBy('template-labels'),
      lines(`
        Deployment/basket (shop · deployment.yaml)
          PodDisruptionBudget/basket (shop · budget.json)
          NetworkPolicy/closed (shop · policy.yaml) x3
          Service/basket (shop · service.yaml)
            ServiceMonitor/basket (monitoring · ../monitoring/monitor.yaml · elsewhere)
              Prometheus/main (monitoring · prometheus.yaml)
      `),
    );
  });
});

describe('symbols', () => {
  it('of a file are its objects, and in each its labels and selectors', async () => {
    const b = await bench(shop);
    assert.equal(
      b.documentSymbols('shop/deployment.yaml'),
      lines(`
        object Deployment/basket (apps/v1) <basket>
          labels metadata.labels <labels>
            label app: basket <app>
          selector spec.selector (app=basket,tier=web) <selector>
          labels spec.template.metadata.labels <labels>
            label app: basket <app>
            label tier: web <tier>
      `),
    );
  });

  it('of a broken file are those that can be parsed', async () => {
    const b = await bench('apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {app: we\n---\nkind: [\n');
    assert.equal(
      b.documentSymbols(),
      lines(`
        object Pod/a (v1) <a>
          labels metadata.labels <labels>
            label app: we <app>
      `),
    );
  });

  it('of the workspace are found by kind and name, and labels by key and value', async () => {
    const b = await bench(shop);
    assert.equal(
      b.workspaceSymbols('Deployment/basket'),
      'object Deployment/basket in shop: shop/deployment.yaml:4 basket',
    );
    assert.equal(
      b.workspaceSymbols('dep bas').split('\n')[0],
      'object Deployment/basket in shop: shop/deployment.yaml:4 basket',
    );
    assert.equal(
      b.workspaceSymbols('RELEASE=m'),
      'label release=main in ServiceMonitor/basket: monitoring/monitor.yaml:6 release: main',
    );
    assert.equal(b.workspaceSymbols('nobody/here'), '');
    assert.equal(b.workspaceSymbols('').split('\n').length, 7);
  });
});
