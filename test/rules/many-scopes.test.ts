/** Tests findings in a cluster with more GitOps objects than are compared. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const kustomization = (name: string, path: string, more = '') => `
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: ${name}, namespace: flux-system}
    spec: {interval: 10m, prune: true, path: ./${path}, sourceRef: {kind: GitRepository, name: flux-system}${more}}`;

const wanted = ', namePrefix: z-, commonMetadata: {labels: {tier: golden}}';

/** The findings about an Ingress and a monitor in a cluster with some other Kustomizations. The last one applies the Service `checkout` with options: with those in `wanted`, both select it. */
async function findings(count: number, options = wanted): Promise<string> {
  const plain = Array.from({ length: count }, (_, index) => kustomization(`plain-${index}`, 'plain'));
  const last = kustomization('shop', 'shop', options);
  const b = await bench(`
    ==> clusters/dev/flux-system/sync.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: flux-system, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/fleet.git}${kustomization('flux-system', 'clusters/dev')}
    ==> clusters/dev/all.yaml <==${kustomization('monitoring', 'monitoring')}${plain.join('')}${last}
    ==> plain/all.yaml <==
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: plain, namespace: shop}
    ==> shop/all.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: checkout, namespace: shop}
    spec: {selector: {app: checkout}, ports: [{name: http, port: 80}]}
    ==> monitoring/all.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: z-chekcout, namespace: shop, labels: {tier: goldem}}
    spec: {ports: [{name: http, port: 80}]}
    ---
    apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata: {name: checkout, namespace: shop}
    spec: {defaultBackend: {service: {name: z-checkout, port: {name: http}}}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: all, namespace: shop}
    spec: {selector: {matchLabels: {tier: golden}}, endpoints: [{port: http}]}
  `);
  return b
    .findings('monitoring/all.yaml')
    .map(({ rule }) => rule)
    .join(' ');
}

describe('an object that is misspelled in its own scope', () => {
  it('is reported if no other GitOps object applies it', async () => {
    assert.equal(await findings(3, ''), 'reference-missing selects-nothing');
    assert.equal(await findings(3), '');
  });

  it('is not reported if too many GitOps objects may apply it', async () => {
    assert.equal(await findings(510), '');
  });
});
