/** Tests features of Flux: what Kustomizations build, and the variables that they replace. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const shop = `
  ==> cluster/shop.yaml <==
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  #     ^ kustomization
  metadata: {name: shop, namespace: flux-system}
  spec:
    path: ./apps/shop
    #        ^ path
    targetNamespace: shop
    sourceRef: {kind: GitRepository, name: flux-system}
    postBuild:
      substitute:
        APP: web
        #    ^^^ value
      substituteFrom:
      - {kind: Secret, name: passwords}
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: passwords, namespace: flux-system}
  stringData:
    TOKEN: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]
    #      ^ token
  ==> apps/shop/web.yaml <==
  apiVersion: v1
  kind: Service
  #     ^ service
  metadata:
    name: \${APP}
    #       ^ name
    annotations:
      token: \${TOKEN}
      #         ^ secret
      unset: \${OTHER}
      #         ^ unset
      typed: \${
      #        ^ typed
  spec:
    selector:
      app: \${APP}
      #       ^ here
`;

describe('a Flux Kustomization', () => {
  it('has a lens with what it builds, and a hover with the objects', async () => {
    const b = await bench(shop);
    assert.match(b.lenses('cluster/shop.yaml'), /deploys 1 object to shop/);
    assert.match(b.hover('kustomization'), /Service\/web/);
    assert.match(b.hover('path'), /Service\/web/);
  });

  it('has its variables in a hover, with their values', async () => {
    const b = await bench(shop.replace('typed: ${', 'typed: none'));
    assert.match(b.hover('name'), /`APP` is `web` in Kustomization `shop` — \[\.\.\/\.\.\/cluster\/shop\.yaml:10\]/);
    assert.match(b.hover('here'), /`APP` is `web`/);
    assert.match(b.hover('secret'), /`TOKEN` has an unknown value in Kustomization `shop`/);
    assert.match(b.hover('unset'), /`OTHER` is not set in Kustomization `shop`/);
  });

  it('has the value of a variable as its definition', async () => {
    const b = await bench(shop.replace('typed: ${', 'typed: none'));
    const value = 'cluster/shop.yaml:10 web';
    assert.equal(b.definition('here'), value);
    assert.equal(b.definition('name'), value);
    assert.equal(b.definition('secret'), 'cluster/shop.yaml:18 ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]');
    assert.notEqual(b.definition('unset'), value);
  });

  it('has its variables as completions', async () => {
    const b = await bench(shop);
    assert.deepEqual(b.completion('typed'), [`typed: \${TOKEN}`, `typed: \${APP}`]);
  });
});

describe('a HelmRelease', () => {
  it('has a link to each values file, from the root of its source', async () => {
    const b = await bench(`
      ==> flux/web.yaml <==
      apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: web, namespace: web}
      spec:
        chart:
          spec:
            chart: ./charts/web
            #         ^ chart
            sourceRef: {kind: GitRepository, name: flux-system}
            valuesFiles: [./charts/web/values-prod.yaml]
            #                ^ values
      ==> charts/web/Chart.yaml <==
      name: web
      version: 1.0.0
      ==> charts/web/values-prod.yaml <==
      app: prod
    `);
    assert.match(b.definition('chart'), /^charts\/web\/Chart.yaml/);
    assert.match(b.definition('values'), /^charts\/web\/values-prod.yaml/);
  });
});
