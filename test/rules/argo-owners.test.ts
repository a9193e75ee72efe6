/** Tests which Applications of Argo CD count as owners of one object, and which missing paths are certain. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

/** An Application with a destination. */
function app(name: string, destination: string, source = 'path: checkout'): string {
  return `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec: {source: {repoURL: https://git.example.com/shop.git, ${source}}, destination: {${destination}}}`;
}

/** The findings about the Applications of one file, over a folder with one ConfigMap. */
async function findings(...apps: readonly string[]): Promise<string> {
  const b = await bench(`
    ==> argocd/apps.yaml <==${apps.join('')}
    ==> checkout/web.yaml <==
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: web}
    ==> argocd/root/root.yaml <==${app('root', 'namespace: argocd', 'path: argocd')}
  `);
  const found = [...b.findings('checkout/web.yaml'), ...b.findings('argocd/apps.yaml')];
  return found.map(({ rule, message }) => `${rule}: ${message}`).join('\n');
}

/** The findings about an Application with a path, in a repository that another Application suggests. */
async function assumed(path: string): Promise<string> {
  const b = await bench(`
    ==> apps.yaml <==${app('a', here)}${app('b', here.replace('shop', 'other'), `path: ${path}`)}
    ==> checkout/web.yaml <==
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: web}
  `);
  return b
    .findings('apps.yaml')
    .map(({ message }) => message)
    .join('\n');
}

const here = 'server: https://kubernetes.default.svc, namespace: shop';

describe('an object', () => {
  it('has two owners in one cluster and namespace', async () => {
    assert.match(
      await findings(app('a', here), app('b', 'name: in-cluster, namespace: shop')),
      /Applications 'a' and 'b'/,
    );
    assert.match(
      await findings(app('a', 'name: x, namespace: shop'), app('b', 'name: x, namespace: shop')),
      /Applications 'a' and 'b'/,
    );
  });

  it('has one owner in each of several clusters or namespaces', async () => {
    assert.equal(await findings(app('a', here), app('b', here.replace('shop', 'other'))), '');
    assert.equal(await findings(app('a', 'name: dev, namespace: shop'), app('b', 'name: prod, namespace: shop')), '');
    assert.equal(await findings(app('a', 'name: dev, namespace: shop'), app('b', here)), '');
  });

  it('has no certain owners in unknown clusters', async () => {
    const unknown = `name: "\${CLUSTER}", namespace: shop`;
    assert.equal(await findings(app('a', unknown), app('b', unknown)), '');
    assert.equal(await findings(app('a', 'namespace: shop'), app('b', 'namespace: shop')), '');
  });
});

describe('the path of an Application', () => {
  it('is reported if it is a misspelling of a folder in this repository', async () => {
    assert.match(
      await findings(app('a', here, 'path: chekout')),
      /'chekout' does not exist .* Did you mean 'checkout'\?/,
    );
  });

  it('is not reported in another revision and in another repository', async () => {
    assert.equal(await findings(app('a', here, 'path: chekout, targetRevision: v1.2.3')), '');
    const other = app('a', here, 'path: chekout').replace('shop.git', 'other.git');
    assert.equal(await findings(other), '');
  });

  it('is information without a similar folder', async () => {
    assert.equal(
      await findings(app('a', here, 'path: nowhere')),
      "gitops-path-missing: No YAML or JSON file of this repository is in 'nowhere', so the Application probably applies nothing.",
    );
  });

  it('is not reported without a similar folder if a plugin or Jsonnet builds it', async () => {
    assert.equal(await findings(app('a', here, 'path: nowhere, plugin: {name: cue}')), '');
    const jsonnet = 'path: nowhere, directory: {jsonnet: {tlas: [{name: a, value: b}]}}';
    assert.equal(await findings(app('a', here, jsonnet)), '');
  });

  it('is reported only with a similar folder if the repository is assumed', async () => {
    assert.match(await assumed('chekout'), /'chekout' does not exist .* Did you mean 'checkout'\?/);
    assert.equal(await assumed('nowhere'), '');
    assert.equal(await assumed('chekout, targetRevision: v1.2.3'), '');
  });

  it('is that of its own source, next to charts and values files', async () => {
    const sources =
      'path: ignored}, sources: [{repoURL: x, chart: redis}, {repoURL: y, ref: values}, {repoURL: https://git.example.com/shop.git, path: chekout}';
    const several = app('a', here, sources).replace('}, destination', '], destination');
    assert.match(await findings(several), /^gitops-path-missing: 'chekout' does not exist/);
  });
});
