/** Tests that a route of Istio to a subset that no DestinationRule declares is reported, if all manifests are known. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const rules = `
  ==> rules.yaml <==
  apiVersion: networking.istio.io/v1
  kind: DestinationRule
  metadata: {name: reviews, namespace: shop}
  spec:
    host: reviews
    subsets: [{name: stable, labels: {version: v1}}, {name: canary, labels: {version: v2}}]
  ---
  apiVersion: networking.istio.io/v1
  kind: DestinationRule
  metadata: {name: prices, namespace: shop}
  spec: {host: prices}
`;

function routes(...destinations: readonly string[]): string {
  return `
  ==> routes.yaml <==
  apiVersion: networking.istio.io/v1
  kind: VirtualService
  metadata: {name: reviews, namespace: shop}
  spec:
    hosts: [reviews]
    http: [{route: [${destinations.map((each) => `{destination: ${each}}`).join(', ')}]}]
`;
}

async function found(text: string): Promise<readonly string[]> {
  const b = await bench(text);
  return b.findings('routes.yaml').map((each) => `${each.message} ${each.fixes().map(({ title }) => title)}`);
}

describe('the subset of a destination', () => {
  it('is reported if the DestinationRules of its host do not declare it', async () => {
    const canari = '{host: reviews.shop.svc.cluster.local, subset: canari}';
    assert.deepEqual(await found(`${rules}${routes(canari, '{host: reviews, subset: v3}')}`), [
      "No DestinationRule for this host has a subset 'canari', so requests to it fail. Closest: 'canary'. Change the name to 'canary'",
      "No DestinationRule for this host has a subset 'v3', so requests to it fail. ",
    ]);
  });

  it('is not reported if it exists, or if the subsets of the host are unknown', async () => {
    const destinations = [
      '{host: reviews, subset: stable}',
      '{host: prices, subset: v1}',
      '{host: others, subset: v1}',
    ];
    assert.deepEqual(await found(`${rules}${routes(...destinations)}`), []);
    const templated = rules.replace('name: canary', 'name: "$(CANARY)"');
    assert.deepEqual(await found(`${templated}${routes('{host: reviews, subset: canari}')}`), []);
    const remote = '\n  ==> kustomization.yaml <==\n  resources: [rules.yaml, routes.yaml, github.com/example/more]\n';
    assert.deepEqual(await found(`${rules}${routes('{host: reviews, subset: canari}')}${remote}`), []);
  });
});
