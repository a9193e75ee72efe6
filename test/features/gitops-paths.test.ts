/** Tests hovers, definitions, links and completion of the fields of GitOps objects that name paths and other objects. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const flux = `
  ==> clusters/prod/sync.yaml <==
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: GitRepository
  metadata: {name: shop, namespace: flux-system}
  spec: {interval: 1m, url: https://git.example.com/shop.git}
  ==> clusters/prod/infra.yaml <==
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata: {name: infra, namespace: flux-system}
  spec: {interval: 1m, path: ./infra, prune: true, sourceRef: {kind: GitRepository, name: shop}}
  ==> clusters/prod/apps.yaml <==
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata:
    name: apps
    namespace: flux-system
  spec:
    interval: 1m
    path: ./apps
    #      ^ path
    prune: true
    sourceRef:
      kind: GitRepository
      name: shop
      #     ^ source
    dependsOn:
      - name: infra
      #       ^ depends
    components:
      - ../components/mon
      #    ^ component
    postBuild:
      substitute:
        APP: web
      substituteFrom:
        - kind: ConfigMap
          name: settings
          #     ^ settings
  ==> clusters/prod/settings.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: flux-system}
  data:
    REGION: eu
  ==> infra/map.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: infra, namespace: flux-system}
  ==> components/mon/kustomization.yaml <==
  apiVersion: kustomize.config.k8s.io/v1alpha1
  kind: Component
  labels: [{pairs: {mon: "yes"}}]
  ==> apps/web.yaml <==
  apiVersion: v1
  kind: ConfigMap
  #     ^ built
  metadata: {name: web, namespace: shop}
  data:
    app: \${APP}-\${REGION}
    #       ^ app
    #              ^ region
  ==> charts/web/Chart.yaml <==
  name: web
  ==> charts/web/values.yaml <==
  a: b
  ==> charts/web/values-prod.yaml <==
  a: b
  ==> charts/web/templates/map.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: chart}
  ==> apps/release.yaml <==
  apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: web, namespace: shop}
  spec:
    chart:
      spec:
        chart: ./charts/web
        #       ^ chart
        valuesFiles:
          - charts/web/values-prod.yaml
          #     ^ values
        sourceRef:
          kind: GitRepository
          name: shop
          #      ^ chartSource
          namespace: flux-system
    valuesFrom:
      - kind: ConfigMap
        name: web
        #      ^ valuesFrom
`;

describe('the fields of a Kustomization of Flux', () => {
  it('lead to the folder, the source, the dependencies, the components and the variables', async () => {
    const b = await bench(flux);
    const targets = ['path', 'source', 'depends', 'component', 'settings', 'region'].map((each) => b.definition(each));
    assert.deepEqual(
      targets.map((each) => each.trim()),
      [
        'apps/release.yaml:1',
        'clusters/prod/sync.yaml:3 shop',
        'clusters/prod/infra.yaml:3 infra',
        'components/mon/kustomization.yaml:1',
        'clusters/prod/settings.yaml:3 settings',
        'clusters/prod/settings.yaml:5 eu',
      ],
    );
    assert.deepEqual(b.links('clusters/prod/apps.yaml'), [
      './apps -> apps/release.yaml',
      '../components/mon -> components/mon/kustomization.yaml',
      'shop -> clusters/prod/sync.yaml',
      'infra -> clusters/prod/infra.yaml',
      'settings -> clusters/prod/settings.yaml',
    ]);
  });

  it('have hovers with what they name', async () => {
    const b = await bench(flux);
    assert.match(b.hover('path'), /\*\*Builds\*\* \(2\)/);
    assert.match(b.hover('source'), /\*\*Refers to\*\* \(1\)\n- \[GitRepository\/shop\]/);
    assert.match(b.hover('depends'), /\*\*Refers to\*\* \(1\)\n- \[Kustomization\/infra\]/);
    assert.match(b.hover('settings'), /\[ConfigMap\/settings\].* key `REGION`/);
    assert.match(b.hover('app'), /`APP` is `web` in Kustomization `apps` — \[.*apps\.yaml:19\]/);
    assert.match(b.hover('region'), /`REGION` is `eu` in Kustomization `apps`/);
  });

  it('are found from the objects that they name and build', async () => {
    const b = await bench(flux);
    assert.match(b.references('built'), /clusters\/prod\/apps\.yaml:4 apps/);
    assert.match(b.references('source'), /clusters\/prod\/apps\.yaml:12 shop\nclusters\/prod\/infra\.yaml:4 shop/);
  });
});

describe('the fields of a HelmRelease', () => {
  it('lead to the chart, its values files, its source and other values', async () => {
    const b = await bench(flux);
    const targets = ['chart', 'values', 'chartSource', 'valuesFrom'].map((each) => b.definition(each).trim());
    assert.deepEqual(targets, [
      'charts/web/Chart.yaml:1',
      'charts/web/values-prod.yaml:1',
      'clusters/prod/sync.yaml:3 shop',
      'apps/web.yaml:3 web',
    ]);
    assert.match(b.hover('chart'), /ConfigMap\/chart/);
  });
});

/** The completions in a line of a GitOps object, next to a chart, a component and a folder of values. */
async function completions(object: string): Promise<readonly string[]> {
  const b = await bench(`
    ==> clusters/object.yaml <==
${object}
    ==> charts/web/Chart.yaml <==
    name: web
    ==> charts/web/values.yaml <==
    a: b
    ==> charts/web/templates/map.yaml <==
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: chart}
    ==> envs/prod.yaml <==
    a: b
    ==> components/mon/kustomization.yaml <==
    apiVersion: kustomize.config.k8s.io/v1alpha1
    kind: Component
    ==> apps/map.yaml <==
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: web}
  `);
  return b.completion('here', 'told');
}

const helmRelease = (line: string) => `
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: web}
    spec:
      chart:
        spec:
          sourceRef: {kind: GitRepository, name: shop}
          ${line}`;

const application = (line: string) => `
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: web}
    spec:
      destination: {namespace: shop}
      source:
        repoURL: https://git.example.com/shop.git
        path: charts/web
        ${line}`;

describe('completion in a GitOps object', () => {
  it('offers the charts and the values files for a HelmRelease', async () => {
    assert.deepEqual(await completions(helmRelease('chart: ./c\n          #         ^ here')), [
      'chart: ./charts/web   Chart',
    ]);
    assert.deepEqual(await completions(helmRelease('valuesFiles: [c]\n          #              ^ here')), [
      'valuesFiles: [envs/prod.yaml]   Values',
      'valuesFiles: [charts/web/values.yaml]   Values',
    ]);
  });

  it('offers the values files relative to the chart and to the root for an Application', async () => {
    const values = (typed: string, caret: string) =>
      completions(application(`helm: {valueFiles: [${typed}]}\n        #                  ${caret}^ here`));
    assert.deepEqual(await values('v', '  '), [
      'helm: {valueFiles: [values.yaml]}   Values',
      'helm: {valueFiles: [../../envs/prod.yaml]}   Values',
    ]);
    assert.deepEqual(await values('/e', '   '), [
      'helm: {valueFiles: [/envs/prod.yaml]}   Values',
      'helm: {valueFiles: [/charts/web/values.yaml]}   Values',
    ]);
  });

  it('offers the components relative to the folder', async () => {
    const line = 'kustomize: {components: [c]}\n        #                         ^ here';
    assert.deepEqual(await completions(application(line)), [
      'kustomize: {components: [../../components/mon]}   Component',
    ]);
  });
});

const base = `
  ==> argocd/apps.yaml <==
  ${['dev', 'prod']
    .map(
      (name) => `apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: shop-${name}, namespace: argocd}
  spec:
    source: {repoURL: https://git.example.com/shop.git, path: overlays/${name}}
    destination: {namespace: shop, server: "https://${name}.example.com"}`,
    )
    .join('\n  ---\n  ')}
  ==> overlays/dev/kustomization.yaml <==
  resources: [../../base]
  commonLabels: {env: dev}
  ==> overlays/prod/kustomization.yaml <==
  resources: [../../base]
  commonLabels: {env: prod}
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec:
    selector: {app: web}
    #         ^ selector
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web}}
`;

describe('an Application as the active scope', () => {
  it('is offered by its name, and comes first', async () => {
    const b = await bench(base);
    assert.match(b.hover('selector'), /In shop-prod, it also requires `env`/);
    b.session.choose({ perspective: { selected: [`${b.uriOf('argocd/apps.yaml')}#shop-dev`] } });
    assert.match(b.hover('selector'), /In shop-dev, it also requires `env`/);
    assert.match(b.hover('selector'), /\*\*In shop-prod\*\*: 1 match/);
  });
});
