/** Tests that hovers, CodeLenses and pages include what other GitOps objects apply to the cluster. */

import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';

const kustomization = (name: string, more = '') => `
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: ${name}, namespace: flux-system}
    spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: flux-system}${more}}`;

/** Two Kustomizations. Only \`shop\` sets the namespace and the label \`tier\` of its pods. */
function fleet(platform: string, service: string): Promise<Bench> {
  const patch = `[{op: add, path: /spec/template/metadata/labels/tier, value: front}]`;
  const options = `, targetNamespace: shop, patches: [{target: {kind: Deployment}, patch: '${patch}'}]`;
  return bench(`
    ==> clusters/dev/flux-system/sync.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: flux-system, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/fleet.git}${kustomization('clusters/dev').replace('name: clusters/dev', 'name: flux-system')}
    ==> clusters/dev/shop.yaml <==${kustomization('shop', options)}
    ==> clusters/dev/platform.yaml <==${kustomization('platform', platform)}
    ==> shop/web.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    #     ^ workload
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata:
          labels:
            app: web
            #    ^ label
        spec: {containers: []}
    ==> platform/service.yaml <==
    apiVersion: v1
    kind: Service
    #     ^ service
    metadata: {name: web, namespace: shop}
    spec:
      selector: ${service}
      # ^ selector
      ports: [{port: 80}]
  `);
}

const remote = ', kubeConfig: {secretRef: {name: remote}}';

describe('a selector of a GitOps object', () => {
  it('has matches in other GitOps objects of its cluster, as these apply them', async () => {
    for (const labels of ['{tier: front}', '{app: web}', '{app: web, tier: front}']) {
      const b = await fleet('', labels);
      assert.match(
        b.hover('selector'),
        /\*\*Matches in other GitOps objects of the cluster\*\* \(1\)\n- \[Deployment\/web\]/,
        labels,
      );
      assert.doesNotMatch(b.hover('selector'), /elsewhere|other folder|Matches nothing/);
      assert.match(
        b.hover('service'),
        /\*\*Selects in other GitOps objects of the cluster\*\* \(1\)\n- \[Deployment\/web\]/,
      );
      assert.match(b.lenses('platform/service.yaml'), /selects Deployment\/web/);
      assert.match(b.preview('selector'), /matches:\n {2}shop\/web\.yaml Deployment shop\/web via spec\.template/);
      assert.match(b.preview('service'), /matches:\n {2}shop\/web\.yaml Deployment shop\/web/);
      assert.match(b.selects('service'), /Deployment\/web/);
      assert.match(b.implementation('selector'), /shop\/web\.yaml/);
      assert.match(b.definition('selector'), /shop/);
      assert.match(b.explain('service'), /Matches in other GitOps objects of the cluster\n\n- Deployment\/web/);
    }
  });

  it('is counted among the peers of a policy', async () => {
    const policy = `{app: web}
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: web, namespace: other}
    spec:
      podSelector: {}
      ingress:
        - from:
            - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}
              podSelector: {matchLabels: {tier: front}}
              # ^ peer
            - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}`;
    const b = await fleet('', policy);
    const inCluster = '(0 here, 1 in other GitOps objects of the cluster)';
    assert.equal(b.hover('peer').split(inCluster).length, 3, b.hover('peer'));
    const apart = await fleet(remote, policy);
    assert.ok(!apart.hover('peer').includes('other GitOps objects'));
  });

  it('has no matches there if it does not match the objects as they are applied, or in another cluster', async () => {
    for (const [platform, labels] of [
      ['', '{tier: back}'],
      [remote, '{tier: front}'],
    ] as const) {
      const b = await fleet(platform, labels);
      assert.match(b.hover('selector'), /\*\*Matches nothing\*\* in the indexed files\./);
      assert.match(b.lenses('platform/service.yaml'), /selects nothing/);
      assert.match(b.explain('service'), /\*\*Matches nothing\*\* in the indexed files/);
    }
  });
});

describe('a workload of a GitOps object', () => {
  it('is selected by selectors of other GitOps objects of its cluster', async () => {
    for (const labels of ['{tier: front}', '{app: web, tier: front}']) {
      const b = await fleet('', labels);
      assert.match(
        b.hover('workload'),
        /\*\*Selected by other GitOps objects of the cluster\*\* \(1\)\n- \[Service\/web\]/,
      );
      assert.match(b.lenses('shop/web.yaml'), /selected by Service\/web/);
      assert.match(b.preview('workload'), /selectedBy:\n(?: {2}.*\n)* {2}platform\/service\.yaml Service shop\/web/);
      assert.match(
        b.explain('workload'),
        /- Service\/web \(.*\) by `spec\.selector`, applied by `Kustomization\/platform`/,
      );
    }
    const b = await fleet('', '{app: web}');
    assert.match(b.hover('label'), /\*\*Selected by other GitOps objects of the cluster\*\* \(1\)\n- \[Service\/web\]/);
    assert.doesNotMatch(b.hover('label'), /elsewhere|other folder/);
  });

  it('is not selected by selectors in another cluster', async () => {
    const b = await fleet(remote, '{tier: front}');
    assert.doesNotMatch(b.hover('workload'), /Service\/web/);
    assert.doesNotMatch(b.lenses('shop/web.yaml'), /Service\/web/);
  });
});

describe('an object that several GitOps objects apply', () => {
  it('is named once, where its relation is known', async () => {
    const set = (name: string, server: string) => `
      ==> sets/${name}.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      metadata: {name: ${name}, namespace: argocd}
      spec:
        generators: [{list: {elements: [{stage: dev}, {stage: prod}]}}]
        template:
          metadata: {name: '${name}-{{stage}}'}
          spec:
            project: default
            source: {repoURL: https://git.example.com/fleet.git, targetRevision: HEAD, path: 'apps/{{stage}}'}
            destination: {server: ${server}, namespace: shop}`;
    const web = (stage: string) => `
      ==> apps/${stage}/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: ${stage}}, spec: {selector: {app: web}}}
      ==> apps/${stage}/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      #     ^ ${stage}
      metadata: {name: ${stage}-web}
      spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}`;
    const b = await bench(
      `${set('one', 'https://one.example.com')}${set('two', 'https://two.example.com')}${web('dev')}${web('prod')}`,
    );
    const text = b.hover('prod') ?? '';
    assert.match(text, /\*\*Selected by other GitOps objects of the cluster\*\*/);
    assert.doesNotMatch(text, /\balso\b/);
    assert.equal(text.split('[Service/dev]').length, 2, text);
  });
});

describe('an object that two GitOps objects of one cluster apply', () => {
  it('neither selects itself nor is it selected by itself', async () => {
    const application = (name: string) => `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec:
      project: default
      source: {repoURL: https://git.example.com/shop.git, path: ${name}, targetRevision: HEAD}
      destination: {server: https://kubernetes.default.svc, namespace: shop}`;
    const web = (place: string) => `
    apiVersion: apps/v1
    kind: Deployment
    #     ^ ${place}
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}`;
    const b = await bench(`
    ==> apps/all.yaml <==${application('dev')}${application('prod')}
    ==> dev/web.yaml <==${web('dev')}
    ==> prod/web.yaml <==${web('prod')}
  `);
    for (const place of ['dev', 'prod']) assert.doesNotMatch(b.hover(place), /elect\w* .*GitOps objects/);
  });
});
