/** Tests a kustomization as a document: links, definitions, references, hovers, completion and its CodeLens. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> base/kustomization.yaml <==
  resources:
    - web.yaml
    - api
  ==> base/api/kustomization.yaml <==
  resources: [api.yaml]
  ==> base/api/api.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: api}
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, labels: {app: web}}
  ==> components/tls/kustomization.yaml <==
  apiVersion: kustomize.config.k8s.io/v1alpha1
  kind: Component
  patches:
    - target:
        kind: Deployment
        name: w
        #     ^ inComponent
      patch: |-
        - {op: add, path: /metadata/labels/tls, value: on}
`;

function besideShop(fixture: string): Promise<Bench> {
  return bench(`${lines(shop)}\n${lines(fixture)}\n`);
}

describe('paths of a kustomization', () => {
  it('are links', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
        - ../../base
        - missing.yaml
        - https://example.com/base
      components: [../../components/tls]
      patches: [{path: patch.yaml}]
      configurations: [config.yaml]
      configMapGenerator:
        - name: prices
          files: [eu=prices.yaml]
      ==> overlays/prod/patch.yaml <==
      kind: Service
      ==> overlays/prod/config.yaml <==
      commonLabels: []
      ==> overlays/prod/prices.yaml <==
      {}
    `);
    assert.deepEqual(b.links('overlays/prod/kustomization.yaml'), [
      '../../base -> base/kustomization.yaml',
      '../../components/tls -> components/tls/kustomization.yaml',
      'patch.yaml -> overlays/prod/patch.yaml',
      'config.yaml -> overlays/prod/config.yaml',
      'eu=prices.yaml -> overlays/prod/prices.yaml',
    ]);
  });

  it('are completed with what the field can name', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
        -
        # ^ resource
        - pods.yaml
      components:
        - 
        # ^ component
      patches:
        - path: ../
          #       ^ patch
      ==> overlays/prod/pods.yaml <==
      apiVersion: v1
      kind: Pod
      ==> overlays/prod/other.yaml <==
      apiVersion: v1
      kind: Pod
      ==> overlays/kustomization.yaml <==
      resources: [prod]
    `);
    assert.deepEqual(b.completion('resource', 'told'), [
      '- other.yaml   1 object',
      '- ../../base   Kustomization',
      '- ../../base/api   Kustomization',
    ]);
    assert.deepEqual(b.completion('component', 'told'), ['- ../../components/tls   Component']);
    assert.deepEqual(b.completion('patch', 'told'), ['- path: other.yaml   1 object']);
  });

  it('are completed as a list if there is none', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources:
      #          ^ here
    `);
    assert.deepEqual(b.completion('here'), ['resources: [../../base]', 'resources: [../../base/api]']);
  });
});

describe('the target of a patch', () => {
  it('is completed from the objects that the kustomization builds', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      namePrefix: prod-
      resources: [../../base]
      patches:
        - target:
            kind: D
            #     ^ kind
            name:
            #     ^ name
        - target:
            kind: Service
            name:
            #     ^ service
    `);
    assert.deepEqual(b.completion('kind', 'told'), ['kind: Service   2 objects', 'kind: Deployment   1 object']);
    assert.deepEqual(b.completion('service', 'told'), ['name: web   Service', 'name: api   Service']);
  });

  it('is completed in a component from the objects of what includes it', async () => {
    const b = await besideShop(`
      ==> overlays/prod/kustomization.yaml <==
      resources: [../../base]
      components: [../../components/tls]
    `);
    assert.deepEqual(b.completion('inComponent'), ['name: web']);
  });
});
