/** Tests features of GitOps objects: what they build, and the folders and files that they name. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const shop = `
  ==> argocd/shop.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: Application
  #     ^ kind
  metadata: {name: shop, namespace: argocd}
  spec:
    source:
      repoURL: https://example.com/shop.git
      path: apps/shop
      #     ^ path
      helm:
        valueFiles:
        - /envs/prod.yaml
        # ^ fromRoot
        - own.yaml
        # ^ own
    destination: {namespace: prod}
  ==> argocd/all.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: ApplicationSet
  #     ^ set
  metadata: {name: all, namespace: argocd}
  spec:
    generators: [{list: {elements: [{n: a}, {n: b}]}}]
    template:
      metadata: {name: '{{n}}'}
      spec: {source: {repoURL: https://example.com/shop.git, path: 'apps/{{n}}'}, destination: {namespace: x}}
  ==> argocd/far.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: far, namespace: argocd}
  spec: {source: {repoURL: https://charts.example.com, chart: redis}, destination: {namespace: x}}
  ==> apps/shop/Chart.yaml <==
  name: shop
  ==> apps/shop/own.yaml <==
  app: web
  ==> envs/prod.yaml <==
  app: web
  ==> apps/shop/templates/web.yaml <==
  apiVersion: v1
  kind: Service
  #     ^ service
  metadata:
    name: {{ .Release.Name }}-web
`;

describe('a GitOps object', () => {
  it('has a lens with what it builds', async () => {
    const b = await bench(shop);
    assert.equal(b.lenses('argocd/shop.yaml'), '2 : deploys 1 object to prod');
    assert.equal(b.lenses('argocd/all.yaml'), '2 : creates 2 Applications');
    assert.equal(b.lenses('argocd/far.yaml'), '2 : deploys objects that are not in the indexed files');
  });

  it('shows what it builds on hover', async () => {
    const b = await bench(shop);
    assert.match(b.hover('kind'), /\*\*Builds\*\* \(1\)\n- \[Service\/shop-web\]\(.*\) in `prod`/);
    assert.match(b.hover('path'), /Service\/shop-web/);
    assert.match(b.hover('set'), /\*\*Creates\*\* \(2\)\n- `a`\n- `b`/);
  });

  it('lists each name once that a set may create', async () => {
    const b = await bench(`
      ==> argocd/set.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      #     ^ set
      metadata: {name: set, namespace: argocd}
      spec:
        goTemplate: true
        generators:
        - merge:
            mergeKeys: [server, stage]
            generators:
            - matrix: {generators: [{clusters: {}}, {list: {elements: [{stage: test}, {stage: prod}]}}]}
            - list: {elements: [{server: here, stage: test, size: s}]}
        template:
          metadata: {name: '{{.name}}-{{.stage}}'}
          spec: {source: {repoURL: https://charts.example.com, chart: redis}, destination: {namespace: x}}
    `);
    const text = b.hover('set') ?? '';
    assert.match(text, /\*\*May create\*\* \(2\)\n- `{{ \.name }}-test`\n- `{{ \.name }}-prod`\n\n/);
  });

  it('is shown as suspended', async () => {
    const files = (suspend: string) => `
      ==> cluster/shop.yaml <==
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      #     ^ kind
      metadata: {name: shop, namespace: flux-system}
      spec: {path: ./shop, suspend: ${suspend}, sourceRef: {kind: GitRepository, name: flux-system}}
      ==> shop/map.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shop, namespace: shop}
    `;
    const [suspended, active] = [await bench(files('true')), await bench(files('false'))];
    assert.match(suspended.lenses('cluster/shop.yaml'), /deploys 1 object .*\(suspended\)$/);
    assert.match(suspended.hover('kind'), /Suspended: Flux does not apply changes\./);
    assert.doesNotMatch(active.lenses('cluster/shop.yaml') + active.hover('kind'), /suspended/i);
  });

  it('is shown as suspended if Argo CD skips an Application, as Go parses the annotation', async () => {
    const files = (value: string) => `
      ==> argocd/shop.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      #     ^ kind
      metadata:
        name: shop
        namespace: argocd
        annotations: {argocd.argoproj.io/skip-reconcile: ${value}}
      spec:
        source: {repoURL: https://example.com/shop.git, path: shop}
        destination: {namespace: shop}
      ==> shop/map.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shop, namespace: shop}
    `;
    for (const value of ['"true"', "'True'", '"1"', '"t"']) {
      const b = await bench(files(value));
      assert.match(b.lenses('argocd/shop.yaml'), /deploys 1 object .*\(suspended\)$/, value);
      assert.match(b.hover('kind'), /Suspended: Argo CD does not apply changes\./, value);
    }
    // The API server rejects an annotation that is not a string.
    for (const value of ['"false"', '"yes"', '"tRUE"', '""', 'true', '"{{ .Values.skip }}"']) {
      const b = await bench(files(value));
      assert.doesNotMatch(b.lenses('argocd/shop.yaml') + b.hover('kind'), /suspended/i, value);
    }
  });

  it('is shown as suspended if an ApplicationSet creates it with the annotation', async () => {
    const files = (at: string) => `
      ==> argocd/all.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      #     ^ set
      metadata: {name: all, namespace: argocd${at === 'set' ? ", annotations: {argocd.argoproj.io/skip-reconcile: 'true'}" : ''}}
      spec:
        generators: [{list: {elements: [{n: a, skip: 'true'}, {n: b, skip: 'false'}]}}]
        template:
          metadata: {name: '{{n}}', annotations: {argocd.argoproj.io/${at === 'set' ? 'other' : 'skip-reconcile'}: '{{skip}}'}}
          spec:
            source: {repoURL: https://example.com/shop.git, path: 'apps/{{n}}'}
            destination: {namespace: '{{n}}'}
      ==> apps/a/map.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a}
      ==> apps/b/map.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: b}
    `;
    assert.match(
      (await bench(files('template'))).hover('set'),
      /\*\*Creates\*\* \(2\)\n- `a` \(suspended\)\n- `b`\n\n/,
    );
    assert.match((await bench(files('set'))).hover('set'), /\*\*Creates\*\* \(2\)\n- `a`\n- `b`\n\n/);
  });

  it('states that its repository is assumed, unless something identifies the repository', async () => {
    const b = await bench(shop);
    const assumed = '`example.com/shop` is assumed to be this repository';
    assert.ok(b.hover('kind').includes(assumed));
    assert.ok(b.hover('path').includes(assumed));
    assert.ok(b.explain('service').includes(`the Application \`shop\` of 1 file; ${assumed}`));
    const root = `
      ==> argocd/root.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: {name: root, namespace: argocd}
      spec: {source: {repoURL: git@example.com:shop.git, path: argocd}, destination: {namespace: argocd}}
    `;
    const certain = await bench(`${shop}${root.trimEnd().replaceAll('\n    ', '\n')}\n`);
    assert.equal(certain.lenses('argocd/shop.yaml'), '2 : deploys 1 object to prod');
    assert.ok(!certain.hover('kind').includes('assumed'));
    assert.ok(!certain.explain('service').includes('assumed'));
  });

  it('leads to the folders and values files that it names', async () => {
    const b = await bench(shop);
    assert.equal(b.definition('path').trim(), 'apps/shop/Chart.yaml:1');
    assert.equal(b.definition('fromRoot').trim(), 'envs/prod.yaml:1');
    assert.equal(b.definition('own').trim(), 'apps/shop/own.yaml:1');
  });

  it('is found from the objects that it builds', async () => {
    const b = await bench(shop);
    assert.match(b.references('service'), /argocd\/shop.yaml:3 shop/);
  });

  it('completes the folders that it may build, from the root of the repository', async () => {
    const b = await bench(`
      ==> argocd/shop.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: {name: shop}
      spec:
        source:
          repoURL: https://example.com/shop.git
          path: a
          #      ^ here
      ==> flux/shop.yaml <==
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: shop}
      spec:
        path: ./o
        #        ^ there
      ==> apps/shop/Chart.yaml <==
      name: shop
      ==> apps/shop/templates/web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      ==> overlays/prod/kustomization.yaml <==
      resources: [web.yaml]
      ==> overlays/prod/web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      ==> plain/web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
    `);
    const folders = [
      'argocd   1 object',
      'flux   1 object',
      'plain   1 object',
      'apps/shop   Chart',
      'overlays/prod   Kustomization',
    ];
    assert.deepEqual(
      b.completion('here', 'told'),
      folders.map((folder) => `path: ${folder}`),
    );
    const [first] = b.completion('there', 'told');
    assert.equal(first, 'path: ./argocd   1 object');
  });
});

describe('an ApplicationSet with a generator of clusters', () => {
  it('creates an unknown number of Applications', async () => {
    const b = await bench(`
      ==> set.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      metadata: {name: guestbook}
      spec:
        generators: [{clusters: {}}]
        template:
          metadata: {name: '{{name}}-guestbook'}
          spec:
            project: default
            source: {repoURL: https://github.com/example/shop, targetRevision: HEAD, path: guestbook}
            destination: {server: '{{server}}', namespace: guestbook}
    `);
    assert.equal(b.lenses('set.yaml'), '2 : creates Applications, their number is unknown');
  });
});
