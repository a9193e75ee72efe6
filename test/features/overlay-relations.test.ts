/** Tests that the relations of an object in a base are those of the overlay in the perspective, with the differences of the others. */

import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';

const shop = `
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  #                ^ service
  spec:
    selector: {app: web, tier: front}
    #                    ^ tier
  ---
  apiVersion: apps/v1
  kind: Deployment
  #     ^ kind
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      #                   ^ label
      spec: {containers: [{name: web, image: web, ports: [{containerPort: 80}]}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: web}
  spec:
    podSelector: {}
    ingress:
      - from:
          - podSelector: {matchLabels: {role: client}}
          # ^ peer
          - podSelector: {matchLabels: {app: web}}
  ---
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: {name: web}
  spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
  #                                       ^ backend
  ==> overlays/dev/kustomization.yaml <==
  namespace: dev
  resources: [../../base, dev.yaml]
  patches:
    - target: {kind: Ingress}
      patch: |-
        - {op: replace, path: /spec/defaultBackend/service/name, value: other}
  ==> overlays/dev/dev.yaml <==
  {apiVersion: v1, kind: Service, metadata: {name: dev}, spec: {selector: {app: web}}}
  ==> overlays/prod/kustomization.yaml <==
  namespace: prod
  resources: [../../base, prod.yaml]
  patches:
    - target: {kind: Deployment}
      patch: |-
        - {op: add, path: /spec/template/metadata/labels/tier, value: front}
        - {op: add, path: /spec/template/metadata/labels/role, value: client}
  ==> overlays/prod/prod.yaml <==
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: web}
  spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}}
  ---
  apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: web}
  spec: {rules: [{backendRefs: [{name: web, port: 80}]}]}
`;

async function seenIn(overlay: string): Promise<Bench> {
  const b = await bench(shop);
  b.session.choose({ perspective: { selected: [b.uriOf(`overlays/${overlay}`)] } });
  return b;
}

describe('an object of a base', () => {
  it('is selected with certainty by what selects it in the overlay', async () => {
    const prod = await seenIn('prod');
    const titles = prod
      .hover('kind')
      .split('\n')
      .filter((line) => /^\*\*.* in |^\*\*In /.test(line));
    assert.deepEqual(titles, [
      '**Selected in prod by** (1)',
      '**Named as a source in prod by** (2)',
      '**Isolated in prod by** (1)',
      '**In dev**: also Service/dev, not Service/web and NetworkPolicy/web as a source.',
    ]);
    const dev = await seenIn('dev');
    assert.match(dev.hover('kind'), /\*\*Selected in dev by\*\* \(1\)\n- \[Service\/dev\]/);
    assert.match(dev.lenses('base/web.yaml'), /selected by Service\/dev.* in dev$/m);
  });

  it('has a page with the selectors of the overlay', async () => {
    const page = (await seenIn('dev')).explain('kind') ?? '';
    assert.match(page, /Selected by\n\n- Service\/dev /);
    assert.match(page, /\*\*In prod\*\*: also Service\/web/);
  });

  it('has labels on which the selectors of the overlay match', async () => {
    const dev = await seenIn('dev');
    assert.match(
      dev.hover('label'),
      /\*\*Selected in dev by\*\* \(1\)\n- \[Service\/dev\][\s\S]*Named as a source in dev by\*\* \(1\)/,
    );
    assert.match(dev.hover('label'), /\*\*In prod\*\*: also Service\/web, not Service\/dev\./);
  });

  it('has requirements and peers that are counted in the overlay', async () => {
    const [dev, prod] = [await seenIn('dev'), await seenIn('prod')];
    assert.match(dev.hover('tier'), /\*\*This requirement\*\* alone: Pods where `tier` is 'front' \(0 here\)/);
    assert.match(prod.hover('tier'), /\*\*This requirement\*\* alone: Pods where `tier` is 'front' \(1 here\)/);
    assert.match(dev.hover('peer'), /- Pods where `role` is 'client' of this namespace \(0 here\)/);
    assert.match(prod.hover('peer'), /- Pods where `role` is 'client' of this namespace \(1 here\)/);
  });

  it('is used by what names it in the overlay, also after patches', async () => {
    const [dev, prod] = [await seenIn('dev'), await seenIn('prod')];
    assert.match(prod.hover('service'), /\*\*Used in prod by\*\* \(2\)\n- \[Ingress\/web\].*\n- \[HTTPRoute\/web\]/);
    assert.match(prod.hover('service'), /\*\*In dev\*\*: not Ingress\/web and HTTPRoute\/web\./);
    assert.match(dev.hover('service'), /Used in dev by no other object\.\n\n\*\*In prod\*\*: also Ingress\/web/);
    assert.match(dev.hover('backend'), /^.*In dev, a patch replaces this name\. As written:/s);
    assert.doesNotMatch(prod.hover('backend'), /replaces/);
    const settings = { codeLens: true, referencesCodeLens: true };
    const b = await bench(shop, { settings });
    assert.match(b.lenses('base/web.yaml'), /used by 2 objects in prod/);
    b.session.choose({ perspective: { selected: [b.uriOf('overlays/dev')] } });
    assert.match(b.lenses('base/web.yaml'), /used by nothing in dev/);
  });
});

describe('an object with the name of objects in other bases', () => {
  it('is not the same object if the kustomizations give them different names', async () => {
    const deployment = (mark: string) => `
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: deployment}
  #                ^ ${mark}
  spec:
    selector: {matchLabels: {app: ${mark}}}
    template: {metadata: {labels: {app: ${mark}}}}`;
    const app = (mark: string, prefix: string) => `
  ==> ${mark}/kustomization.yaml <==
  namePrefix: ${prefix}-
  resources: [web.yaml]
  ==> ${mark}/web.yaml <==${deployment(mark)}`;
    const b = await bench(`${app('one', 'one')}${app('two', 'two')}${app('copy', 'one')}`);
    const hover = b.hover('one');
    assert.match(hover, /\*\*The same object in other files\*\* \(1\)\n- \[Deployment\/deployment\]\(<copy\/web\.yaml/);
    assert.doesNotMatch(hover, /two\/web\.yaml/);
  });
});
