/** Tests the names of Middlewares in annotations of Traefik, which begin with their namespace. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const middlewares = (names: string, namespace = 'shop') => `
  ==> shop.yaml <==
  apiVersion: traefik.io/v1alpha1
  kind: Middleware
  metadata: {name: login, namespace: shop}
  ---
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata:
    name: basket
    namespace: ${namespace}
    annotations:
      traefik.ingress.kubernetes.io/router.middlewares: ${names}
  spec: {rules: [{host: shop.example.com}]}
`;

async function findings(names: string, namespace?: string): Promise<readonly string[]> {
  const b = await bench(middlewares(names, namespace));
  return b.findings('shop.yaml').map(({ message }) => message);
}

describe('a list of Middlewares in an annotation of Traefik', () => {
  it('refers to objects in the namespace of the Ingress', async () => {
    assert.deepEqual(await findings('shop-login@kubernetescrd'), []);
    const missing = "No Middleware 'logni' in this scope. Closest: Middleware/login.";
    assert.deepEqual(await findings('"shop-login@kubernetescrd, shop-logni@kubernetescrd"'), [missing]);
  });

  it('may contain names of other namespaces, whose boundary is unknown, and of other providers', async () => {
    assert.deepEqual(await findings('mill-logni@kubernetescrd, logni@file', 'shop'), []);
    assert.deepEqual(await findings('shop-logni@kubernetescrd', 'mill'), []);
  });
});
