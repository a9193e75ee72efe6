/** Tests the subset of a destination of an Istio VirtualService: its definition, and completion. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';

const mesh = `
  ==> routes.yaml <==
  apiVersion: networking.istio.io/v1
  kind: VirtualService
  metadata: {name: cart, namespace: shop}
  spec:
    http:
      - route:
          - destination:
              host: cart
              subset: stable
              #       ^ short
          - destination: {host: cart.shop.svc.cluster.local, subset: canary}
          #                                                          ^ long
          - destination: {host: orders, subset: stable}
          #                                     ^ other
          - destination:
              host: cart.shop
              subset: c
              #        ^ typed
  ==> rules.yaml <==
  apiVersion: networking.istio.io/v1
  kind: DestinationRule
  metadata: {name: cart, namespace: shop}
  spec:
    host: cart.shop.svc.cluster.local
    subsets:
      - {name: stable, labels: {version: v1}}
      - {name: canary, labels: {version: v2}}
  ---
  apiVersion: networking.istio.io/v1
  kind: DestinationRule
  metadata: {name: cart, namespace: other}
  spec:
    host: cart
    subsets:
      - {name: stable, labels: {version: v3}}
`;

describe('the subset of a destination', () => {
  let b: Bench;
  before(async () => {
    b = await bench(mesh);
  });

  it('leads to the DestinationRule of the same Service, whatever the form of the host', () => {
    assert.equal(b.definition('short'), 'rules.yaml:7 stable');
    assert.equal(b.definition('long'), 'rules.yaml:8 canary');
  });

  it('has no definition without a DestinationRule of its host', () => {
    assert.equal(b.definition('other'), '(none)');
  });

  it('is completed from the subsets of the host', () => {
    assert.deepEqual(b.completion('typed', 'told'), [
      'subset: stable   DestinationRule/cart',
      'subset: canary   DestinationRule/cart',
    ]);
  });
});
