/** Tests which object of a file is the definition of a GitOps object. */

import assert from 'node:assert/strict';
import { bench } from '../../harness/bench.ts';

const sync = `
  ==> clusters/prod/sync.yaml <==
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: GitRepository
  metadata: {name: shop, namespace: flux-system}
  spec: {interval: 1m, url: https://git.example.com/shop.git}
  ---
  apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: shop, namespace: flux-system}
  spec: {interval: 1m, chartRef: {kind: OCIRepository, name: redis}}
  ---
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata: {name: shop, namespace: flux-system}
  spec:
    interval: 1m
    path: ./apps
    prune: true
    sourceRef: {kind: GitRepository, name: shop}
    commonMetadata: {labels: {team: shop}}
    postBuild: {substitute: {APP: web}}
  ==> apps/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec:
    selector: {app: "\${APP}", own: web}
    #         ^ selector
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: "\${APP}", namespace: shop, labels: {app: "\${APP}", own: web}}
  #                    ^ variable
  spec: {containers: [{name: web, image: web}]}
`;

describe('the definition of a GitOps object', () => {
  it('is of its kind, next to others with its name', async () => {
    const b = await bench(sync);
    assert.match(b.hover('variable'), /`APP` is `web` in Kustomization `shop`/);
    assert.match(b.lenses('clusters/prod/sync.yaml'), /\n7 : deploys objects that .*\n12 : deploys 2 objects$/);
  });
});
