/** Tests details of Argo CD: what it leaves out, what it does not change, and what remains unknown. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { lines } from '../../harness/margin.ts';
import { root, service, workspaceOf } from '../kustomizations.ts';
import { app, configMap, detailed, objects, scopes, set } from './applications.ts';

describe('the options of an Application', () => {
  it('change no object if they only concern the synchronization', () => {
    const others = `, project: shop, info: [{name: x, value: "y"}], ignoreDifferences: [{kind: Service, jsonPointers: [/spec]}],
      syncPolicy: {automated: {prune: true}, syncOptions: [Validate=false]}, revisionHistoryLimit: 3`;
    const waves = ', annotations: {argocd.argoproj.io/sync-wave: "1", argocd.argoproj.io/hook: PreSync}';
    const files = (more: string) => ({
      'app.yaml': app('shop', 'path: shop', 'namespace: prod', more),
      'shop/a.yaml': `${service}---\n${configMap('a', waves)}`,
    });
    assert.equal(detailed(files(others)), detailed(files('')));
    assert.equal(objects(files(others)), 'Service/web in prod\nConfigMap/a in prod');
  });

  it('name the cluster by its URL or by its name, not by both', () => {
    const clusterOf = (destination: string) => {
      const files = { 'app.yaml': app('shop', 'path: shop', destination), 'shop/a.yaml': service };
      return workspaceOf(files).scopes().all()[0]?.gitops?.facts.cluster;
    };
    assert.equal(clusterOf('name: in-cluster'), 'https://kubernetes.default.svc');
    assert.equal(clusterOf('server: https://x.example.com'), 'https://x.example.com');
    assert.equal(clusterOf('name: far'), 'far');
    assert.equal(clusterOf('name: far, server: https://x.example.com'), undefined);
    assert.equal(clusterOf('namespace: prod'), undefined);
  });

  it('do not change kinds, names and labels by images and numbers of replicas', () => {
    const files = (options: string) => ({
      'app.yaml': app('shop', `path: shop, kustomize: {namePrefix: x-${options}}`),
      'shop/kustomization.yaml': 'resources: [a.yaml]\n',
      'shop/a.yaml': service,
    });
    const changed = ', images: ["web=example.com/web:2"], replicas: [{name: web, count: 3}]';
    assert.equal(detailed(files(changed)), detailed(files('')));
  });

  it('drop components that do not exist', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop, kustomize: {components: [../gone], ignoreMissingComponents: true}'),
      'shop/kustomization.yaml': 'resources: [a.yaml]\n',
      'shop/a.yaml': service,
    };
    assert.equal(objects(files), 'Service/web in prod');
  });
});

describe('the tools of Argo CD', () => {
  const files = (settings: string, source = 'path: shop') => ({
    'app.yaml': app('shop', source),
    'cm.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {${settings}}\n`,
    'shop/kustomization.yaml': 'namePrefix: x-\nresources: [a.yaml]\n',
    'shop/a.yaml': service,
  });

  it('may be turned off in its settings: the folders are plain folders then', () => {
    assert.equal(objects(files('other: x')), 'Service/x-web in prod');
    assert.equal(objects(files('kustomize.enable: "true"')), 'Service/x-web in prod');
    assert.equal(objects(files('kustomize.enable: "false"')), 'Service/web in prod');
    assert.equal(objects(files('helm.enable: "false"')), 'Service/x-web in prod');
    assert.equal(
      objects(files('kustomize.enable: "false"', 'path: shop, kustomize: {namePrefix: y-}')),
      'Service/web in prod',
    );
    const several = { ...files('kustomize.enable: "false"'), 'other/cm.yaml': files('')['cm.yaml'] };
    assert.equal(objects(several), 'Service/x-web in prod');
  });

  it('may be a plugin, whose input does not show all objects', () => {
    const files = { 'app.yaml': app('shop', 'path: shop, plugin: {name: x}'), 'shop/a.yaml': configMap('a') };
    assert.match(
      scopes(files),
      /^argo-application app.yaml: shop\/a.yaml \(app.yaml renders its objects with a plugin/,
    );
    const chart = { 'shop/Chart.yaml': 'name: shop\n', 'shop/templates/b.yaml': configMap('b') };
    assert.match(scopes({ ...files, ...chart }), /^argo-application app.yaml: {2}\(/);
  });

  it('may include plugins that claim folders', () => {
    const plugin = (spec: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: ConfigManagementPlugin\nmetadata: {name: x}\nspec: {generate: {command: [x]}${spec}}\n`;
    const open = (spec: string, source?: string) =>
      scopes({ ...files('', source), 'plugin.yaml': plugin(spec) }).split('\n')[0] ?? '';
    assert.match(open(', discover: {fileName: "*.x"}'), /^argo-application app.yaml: shop\/a.yaml \(.* plugin/);
    assert.doesNotMatch(open(', discover: {fileName: "*.x"}', 'path: shop, kustomize: {namePrefix: y-}'), / plugin/);
    assert.doesNotMatch(open(''), / plugin/);
  });
});

describe('a directory', () => {
  it('consists of the objects in its files, also of those in lists', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop'),
      'shop/list.yaml': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: in-list}}\n`,
      'shop/values.yaml': 'replicas: 3\n',
      'shop/object.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "in-json"}}',
    };
    assert.equal(objects(files), 'ConfigMap/in-list in prod\nConfigMap/in-json in prod');
  });

  it('is not built by its kustomization if the source names the tool', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop, directory: {recurse: true}'),
      'shop/kustomization.yaml': 'namePrefix: x-\nresources: [a.yaml]\n',
      'shop/a.yaml': service,
    };
    assert.equal(objects(files), 'Service/web in prod');
  });

  it('has unknown objects if it evaluates Jsonnet', () => {
    const open = (directory: string) =>
      scopes({ 'app.yaml': app('shop', `path: shop, directory: ${directory}`), 'shop/a.yaml': service });
    assert.match(open('{jsonnet: {tlas: [{name: a, value: b}]}}'), /app.yaml: shop\/a.yaml \(app.yaml .*Jsonnet/);
    assert.doesNotMatch(open('{recurse: true, jsonnet: {}}'), /Jsonnet/);
  });
});

describe('a kustomization', () => {
  it('is open with charts, which no file contains', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop'),
      'shop/kustomization.yaml': 'helmCharts: [{name: redis, repo: https://example.com/charts}]\n',
    };
    assert.match(scopes(files), /^argo-application app.yaml: .*\(.*\)/);
  });
});

describe('the namespace of a destination', () => {
  it('is not set in other fields', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': lines(`
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: a}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}
        subjects: [{kind: ServiceAccount, name: default, namespace: other}, {kind: ServiceAccount, name: own}]
      `),
    };
    const [binding] = workspaceOf(files).rendering(`${root}/app.yaml`, catalogue)?.objects ?? [];
    assert.equal(binding?.object.namespace?.text, 'prod');
    const named = (binding?.object.references ?? []).map(({ name, namespace }) => [name?.text, namespace?.text]);
    assert.deepEqual(named, [
      ['a', undefined],
      ['default', 'other'],
      ['own', undefined],
    ]);
  });
});

describe('the Applications of a set', () => {
  const files = (generators: string) => ({
    'argocd/set.yaml': set(`
      generators: [${generators}]
      template:
        metadata: {name: '{{name}}', namespace: elsewhere}
        spec: {source: {repoURL: https://example.com/shop.git, path: shop}, destination: {namespace: prod}}
    `),
    'shop/a.yaml': service,
  });

  it('are in the namespace of the set, and all there if some have one name', () => {
    const all = workspaceOf(files('list: {elements: [{name: a}, {name: a}]}')).scopes().all();
    const found = all.flatMap(({ gitops }) => (gitops === undefined ? [] : [gitops.facts]));
    assert.deepEqual(
      found.map(({ name, namespace }) => `${namespace}/${name}`),
      ['argocd/a', 'argocd/a'],
    );
  });

  it('are certain next to those of an unknown generator, with which the set is open', () => {
    const found = scopes(files('{list: {elements: [{name: a}]}}, {pullRequest: {}}'));
    assert.match(found, /^argo-application argocd\/set.yaml#a: shop\/a.yaml$/m);
    assert.match(found, /^folder argocd: argocd\/set.yaml \(.*ApplicationSet/m);
  });
});
