/** Tests selectors that match objects of other GitOps objects only as they are written, or match no object of the cluster. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const application = (name: string, source = '', destination = 'namespace: shop') => `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec:
      project: default
      source: {repoURL: https://git.example.com/shop.git, path: ${name}${source}}
      destination: {server: https://kubernetes.default.svc, ${destination}}`;

interface Apps {
  /** The kustomization file of the Deployment. */
  readonly kustomization?: string;
  /** Options of the source and the destination of the Application that applies the Deployment. */
  readonly source?: string;
  readonly destination?: string;
  /** More Applications, and more files. */
  readonly applications?: string;
  readonly files?: string;
}

/** The findings about a Service in one Application that selects `app=cart`, the labels of a Deployment in another. */
async function findings(apps: Apps): Promise<string> {
  const { kustomization = 'resources: [cart.yaml]', source, destination, applications = '', files = '' } = apps;
  const b = await bench(`
    ==> root.yaml <==${application('apps', '', 'namespace: argocd')}
    ==> apps/all.yaml <==${application('web')}${application('cart', source, destination)}${applications}
    ==> cart/kustomization.yaml <==
    ${kustomization}
    ==> cart/cart.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: cart}
    spec:
      selector: {matchLabels: {app: cart}}
      template: {metadata: {labels: {app: cart}}, spec: {containers: []}}
    ==> web/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: cart}
    spec: {selector: {app: cart}, ports: [{port: 80}]}${files}
  `);
  const found = b.findings('web/service.yaml').filter(({ rule }) => rule === 'selects-nothing');
  return found.map(({ message, severity }) => `${severity}: ${message}`).join('\n');
}

const closest = (name: string, actual: string) =>
  `hint: This selector matches no object in its scope. Closest: Deployment/${name} (has app=${actual}, but the selector wants app=cart).`;

describe('a selector that matches an object of another Application as it is written', () => {
  it('is not reported if the object is applied with these labels', async () => {
    assert.equal(await findings({}), '');
    assert.equal(await findings({ source: ', kustomize: {namePrefix: eu-, commonLabels: {team: a}}' }), '');
    assert.equal(
      await findings({ source: ', kustomize: {commonLabels: {app: shop}, labelWithoutSelector: true}' }),
      '',
    );
  });

  it('is reported if the Application changes the labels', async () => {
    assert.equal(await findings({ source: ', kustomize: {commonLabels: {app: shop}}' }), closest('cart', 'shop'));
    const renamed = ', kustomize: {namePrefix: eu-, commonLabels: {app: shop}}';
    assert.equal(await findings({ source: renamed }), closest('eu-cart', 'shop'));
  });

  it('is reported if the kustomization changes the labels', async () => {
    const labels = 'labels: [{pairs: {app: shop}, includeSelectors: true}]';
    assert.equal(await findings({ kustomization: `{resources: [cart.yaml], ${labels}}` }), closest('cart', 'shop'));
    const operations = '[{op: replace, path: /spec/template/metadata/labels/app, value: store}]';
    const patches = `patches: [{target: {kind: Deployment}, patch: "${operations}"}]`;
    assert.equal(await findings({ kustomization: `{resources: [cart.yaml], ${patches}}` }), closest('cart', 'store'));
  });

  const changed = ', kustomize: {commonLabels: {app: shop}}';

  it('is not reported if the object is also applied as it is written', async () => {
    const second = application('second').replace('path: second', 'path: cart');
    assert.equal(await findings({ source: changed, applications: second }), '');
    assert.equal(
      await findings({ source: changed, files: '\n    ==> plain/kustomization.yaml <==\n    resources: [../cart]' }),
      '',
    );
  });

  it('is reported if the object is applied as it is written only to another cluster or namespace', async () => {
    const second = application('second').replace('path: second', 'path: cart');
    const elsewhere = second.replace('https://kubernetes.default.svc', 'https://eu.example.com');
    assert.equal(await findings({ source: changed, applications: elsewhere }), closest('cart', 'shop'));
    const other = second.replace('namespace: shop', 'namespace: other');
    assert.match(await findings({ source: changed, applications: other }), /^hint: /);
  });

  it('is not reported if the Application applies a different revision', async () => {
    assert.equal(await findings({ source: `, targetRevision: v1.2.0${changed}` }), '');
  });

  it('is not reported if the pods may come from a chart or another repository', async () => {
    const chart = application('shop')
      .replace('path: shop', 'chart: cart, targetRevision: 1.0.0')
      .replace('git.example.com/shop.git', 'charts.example.com');
    assert.equal(await findings({ source: changed, applications: chart }), '');
    const remote = application('other').replace('shop.git', 'other.git');
    assert.equal(await findings({ source: changed, applications: remote }), '');
  });

  it('is not reported if an operator may create the pods', async () => {
    const files =
      '\n    ==> more/shop.yaml <==\n    apiVersion: shop.example.com/v1\n    kind: Shop\n    metadata: {name: a}';
    assert.equal(await findings({ source: changed, applications: application('more'), files }), '');
  });
});

describe('a selector that matches no object of its cluster', () => {
  const selecting = (service: string, more = '') => ({
    files: `\n    ---${service}${more}`,
  });
  const nothing = 'hint: This selector matches no object in its scope.';
  const other = `
    apiVersion: v1
    kind: Service
    metadata: {name: other}
    spec: {selector: {app: checkout}, ports: [{port: 80}]}`;
  const peer = (namespace: string) => `
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: other}
    spec:
      podSelector: {}
      ingress:
        - from:
            - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}
              podSelector: {matchLabels: {app: checkout}}`;

  it('is reported if other Applications apply objects to its namespace', async () => {
    assert.equal(await findings(selecting(other)), nothing);
    assert.equal(await findings(selecting(peer('shop'))), nothing);
    const warehouse = {
      ...selecting(peer('warehouse')),
      applications: application('moved', '', 'namespace: warehouse'),
    };
    const files = `${warehouse.files}${deployment('moved', 'moved')}`;
    assert.equal(await findings({ ...warehouse, files }), nothing);
  });

  it('is not reported if nothing is known about its namespace', async () => {
    assert.equal(await findings(selecting(peer('warehouse'))), '');
    assert.equal(await findings({ ...selecting(other), destination: 'namespace: warehouse' }), '');
  });

  it('is not reported if a scope of the cluster is open, or an object is in no Application', async () => {
    const remote = application('far').replace('shop.git', 'far.git');
    assert.equal(await findings({ ...selecting(other), applications: remote }), '');
    assert.equal(await findings(selecting(other, deployment('plain', 'plain'))), '');
    for (const name of ['checkout', 'kvstore']) {
      const chart = application('shop').replace('path: shop', `chart: ${name}, targetRevision: 1.0.0`);
      assert.equal(await findings({ ...selecting(other), applications: chart }), '');
      assert.equal(await findings({ ...selecting(peer('shop')), applications: chart }), '');
      const moved = chart.replace('namespace: shop', 'namespace: monitoring');
      assert.equal(await findings({ ...selecting(other), applications: moved }), nothing);
    }
  });

  it('is not reported if no object has its keys', async () => {
    assert.equal(await findings(selecting(other.replace('app: checkout', 'checkout: api'))), '');
  });

  it('is not reported if it is optional', async () => {
    const affinity = `
    apiVersion: v1
    kind: Pod
    metadata: {name: alone, labels: {app: alone}}
    spec:
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, labelSelector: {matchLabels: {app: checkout}}}]}}`;
    assert.equal(await findings(selecting(affinity)), '');
  });
});

function deployment(folder: string, app: string): string {
  return `
    ==> ${folder}/all.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: ${app}}
    spec:
      selector: {matchLabels: {app: ${app}}}
      template: {metadata: {labels: {app: ${app}}}, spec: {containers: []}}`;
}
