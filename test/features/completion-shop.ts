/** Fixtures for completions: two workloads of a shop, a Pod of another namespace, and objects that select them. */

import { bench } from '../harness/bench.ts';

/** The completions at `here`, each with the text next to its label. */
export async function told(fixture: string, lineEnd: '\n' | '\r\n' = '\n'): Promise<readonly string[]> {
  const b = await bench(fixture, { lineEnd });
  return b.completion('here', 'told');
}

/** Two workloads and a Pod of another namespace, which selectors match. */
export const shop = `
    ==> shop/workloads.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: basket, namespace: shop, labels: {not-on-pods: "1"}}
    spec:
      selector: {matchLabels: {app: basket}}
      template: {metadata: {labels: {app: basket, tier: front, version: "1.10"}}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: prices, namespace: shop}
    spec:
      selector: {matchLabels: {app: prices}}
      template: {metadata: {labels: {app: prices, tier: back, version: "yes"}}}
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: whale, namespace: sea, labels: {app: whale, fins: "2"}}}
`;

/** The shop with a Service with some lines in its specification. */
export const service = (lines: string) => `${shop}
    ==> shop/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata:
      name: web
      namespace: shop
    spec:
${lines}`;

/** The shop with a NetworkPolicy with some lines in its specification. */
export const policy = (lines: string) => `${shop}
    ==> shop/policy.yaml <==
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: web, namespace: shop}
    spec:
      podSelector:
${lines}`;
