/** Tests configurations and transformers of kustomizations. The expectations are the output of `kubectl kustomize`. */
import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { built, deployment, service } from './kustomizations.ts';

describe('transformers of a kustomization', () => {
  it('applies its own configurations and transformers, and is uncertain after remote ones', () => {
    const files = {
      'kustomization.yaml':
        'resources: [all.yaml]\nconfigurations: [config.yaml]\ncommonLabels: {a: b}\ntransformers: [label.yaml]\n',
      'config.yaml': 'commonLabels:\n- {path: spec/selector, create: true, kind: Gateway}\n',
      'label.yaml':
        'apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: x}\nlabels: {c: d}\nfieldSpecs: [{path: metadata/labels, create: true}]\n',
      'all.yaml': 'apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: {name: way}\n',
    };
    const certain = lines(`
      Gateway/way
        metadata.labels: a=b, c=d
        spec.selector: a=b
    `);
    assert.equal(built(files), certain);
    const other = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n';
    assert.match(built({ ...files, 'label.yaml': other }), /labels: a=b and more\n.*selector: a=\* and more/);
  });

  it('applies inline transformers, and is uncertain after unknown ones', () => {
    const inline = (...lines: readonly string[]) => `- |-\n${lines.map((line) => `  ${line}\n`).join('')}`;
    const builtin = (kind: string, ...lines: readonly string[]) =>
      inline('apiVersion: builtin', `kind: ${kind}`, ...lines);
    const known = [
      builtin(
        'LabelTransformer',
        'metadata: {name: l}',
        'labels: {c: d}',
        'fieldSpecs: [{path: metadata/labels, create: true}]',
      ),
      builtin(
        'PrefixSuffixTransformer',
        'metadata: {name: p}',
        'prefix: a-',
        'suffix: -z',
        'fieldSpecs: [{path: metadata/name}]',
      ),
      builtin(
        'NamespaceTransformer',
        'metadata: {name: n, namespace: shop}',
        'fieldSpecs: [{path: metadata/namespace, create: true}]',
      ),
    ].join('');
    const kustomization = 'resources: [all.yaml]\ntransformers:\n';
    const files = { 'kustomization.yaml': kustomization + known, 'all.yaml': service };
    assert.equal(built(files), 'Service/a-web-z in shop\n  metadata.labels: c=d\n  spec.selector: app=web');
    const others = [
      inline('apiVersion: example.com/v1', 'kind: Thing', 'metadata: {name: x}'),
      builtin('PatchTransformer', 'metadata: {name: x}', 'path: patch.yaml'),
    ];
    for (const other of others) {
      const changed = { ...files, 'kustomization.yaml': kustomization + other };
      assert.match(built(changed), /spec.selector: app=\* and more/);
    }
  });

  it('lets transformers change only the fields that they name', () => {
    const transformers = (fields: string) =>
      [
        `apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: a-\nfieldSpecs: [{path: metadata/name, kind: Service}]\n`,
        `apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: n, namespace: shop}\nfieldSpecs: [${fields}]\n`,
      ].join('---\n');
    const names = (fields: string) =>
      built({
        'kustomization.yaml': 'resources: [all.yaml]\ntransformers: [change.yaml]\n',
        'change.yaml': transformers(fields),
        'all.yaml': [service, deployment, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: old}\n'].join('---\n'),
      })
        .split('\n')
        .filter((line) => !line.startsWith(' '));
    const own = '{path: metadata/namespace, create: true}';
    assert.deepEqual(names(own), ['Service/a-web in shop', 'Deployment/web in shop', 'Namespace/old']);
    const both = `${own}, {path: metadata/name, kind: Namespace, create: true}`;
    assert.deepEqual(names(both), ['Service/a-web in shop', 'Deployment/web in shop', 'Namespace/shop']);
  });

  it('builds a folder of transformers before it applies them', () => {
    const transformer =
      'apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: n, namespace: replaced}\nfieldSpecs: [{path: metadata/name, kind: Namespace, create: true}]\n';
    const files = {
      'kustomization.yaml': 'resources: [all.yaml]\ntransformers: [namespace]\n',
      'all.yaml': `${service}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: .replaced}\n`,
      'namespace/kustomization.yaml': 'namespace: shop\nresources: [../common]\n',
      'common/kustomization.yaml': 'resources: [namespace.yaml]\n',
      'common/namespace.yaml': transformer,
    };
    const names = (changed: object) =>
      built({ ...files, ...changed })
        .split('\n')
        .filter((line) => !line.startsWith(' '));
    assert.deepEqual(names({}), ['Service/web in shop', 'Namespace/shop']);
    const patched = 'resources: [namespace.yaml]\npatches: [{patch: "[]", target: {kind: NamespaceTransformer}}]\n';
    assert.match(built({ ...files, 'common/kustomization.yaml': patched }), /selector: app=\* and more/);
    // Folders that name each other are built once.
    assert.deepEqual(names({ 'common/kustomization.yaml': 'resources: [namespace.yaml, ../namespace]\n' }), [
      ...['Service/web in shop', 'Namespace/shop'],
    ]);
  });

  it('adds the label of the builder only if it is built by itself, without a version', () => {
    const files = {
      'kustomization.yaml': 'resources: [base]\nbuildMetadata: [managedByLabel]\n',
      'base/kustomization.yaml': 'resources: [all.yaml]\n',
      'base/all.yaml': service,
    };
    assert.match(built(files), /metadata\.labels: app\.kubernetes\.io\/managed-by=kustomize-…$/m);
    const below = { ...files, 'kustomization.yaml': 'resources: [base]\n' };
    const inBase = { ...below, 'base/kustomization.yaml': `resources: [all.yaml]\nbuildMetadata: [managedByLabel]\n` };
    assert.doesNotMatch(built(inBase), /managed-by/);
  });

  it('reads its fields in any letter case', () => {
    const files = { 'kustomization.yaml': 'Resources: [all.yaml]\nnameprefix: shop-\n', 'all.yaml': service };
    assert.equal(built(files), 'Service/shop-web\n  spec.selector: app=web');
  });

  it('adds affixes only to the names that a configuration lists, and to those of a base a second time', () => {
    const names = (files: Readonly<Record<string, string>>) => {
      const configured = 'namePrefix: shop-\nconfigurations: [names.yaml]\n';
      const all = built({
        'kustomization.yaml': `resources: [${'base.yaml' in files ? 'base.yaml' : 'base'}]\n${configured}`,
        'names.yaml': 'namePrefix:\n- {path: metadata/name, kind: Deployment}\n',
        ...files,
      });
      return all.split('\n').filter((line) => !line.startsWith(' '));
    };
    const both = [service, deployment].join('---\n');
    assert.deepEqual(names({ 'base.yaml': both }), ['Service/web', 'Deployment/shop-web']);
    const base = { 'base/kustomization.yaml': 'resources: [all.yaml]\n', 'base/all.yaml': both };
    assert.deepEqual(names(base), ['Service/shop-web', 'Deployment/shop-shop-web']);
    const component = {
      'kustomization.yaml': 'resources: [base]\nnamePrefix: shop-\ncomponents: [names]\n',
      'names/kustomization.yaml': 'kind: Component\nconfigurations: [names.yaml]\n',
      'names/names.yaml': 'namePrefix:\n- {path: metadata/name, kind: Deployment}\n',
    };
    assert.deepEqual(names({ ...base, ...component }), ['Service/web', 'Deployment/shop-web']);
  });

  it('labels only the kinds of a field spec that is more specific than the default', () => {
    const labelled = (field: string) => {
      const labels = `labels:\n- pairs: {team: blue}\n  fields: [${field}]\n`;
      const all = built({
        'kustomization.yaml': `resources: [all.yaml]\n${labels}`,
        'all.yaml': [service, deployment].join('---\n'),
      });
      return all.split('\n').filter((line) => line.includes('team'));
    };
    assert.deepEqual(labelled('{path: metadata/labels, kind: Service, create: true}'), [
      '  metadata.labels: team=blue',
    ]);
    assert.equal(labelled('{path: spec/template/metadata/labels, kind: Deployment}').length, 3);
  });

  it('adds the field specs of a configuration to those of commonLabels, and replaces those of labels', () => {
    const labelled = (labels: string) => {
      const all = built({
        'kustomization.yaml': `resources: [base]\nconfigurations: [more.yaml]\n${labels}\n`,
        'more.yaml': 'commonLabels:\n- {path: metadata/labels, kind: Deployment, create: true}\n',
        'base/kustomization.yaml': 'resources: [all.yaml]\n',
        'base/all.yaml': service,
      });
      return all.split('\n').filter((line) => line.includes('team'));
    };
    const [own, selector] = ['  metadata.labels: team=blue', '  spec.selector: app=web,team=blue'];
    assert.deepEqual(labelled('commonLabels: {team: blue}'), [own, selector]);
    assert.deepEqual(labelled('labels: [{pairs: {team: blue}, includeSelectors: true}]'), [selector]);
  });

  it('does not rename a Namespace of another group', () => {
    const others = ['v1', 'bus.example.com/v1'].map((version) => {
      return `apiVersion: ${version}\nkind: Namespace\nmetadata: {name: parcels}\n`;
    });
    const files = {
      'kustomization.yaml': 'resources: [all.yaml]\nnamespace: shop\n',
      'all.yaml': others.join('---\n'),
    };
    assert.equal(built(files), 'Namespace/shop\nNamespace/parcels in shop');
  });

  it('copies one part of a value into a field that it creates', () => {
    const part = 'options: {create: true, delimiter: "-", index: -1}';
    const target = `{select: {kind: Service}, fieldPaths: [metadata.labels.of], ${part}}`;
    const replacement = `[{source: {kind: Service, name: web}, targets: [${target}]}]`;
    const files = {
      'kustomization.yaml': `resources: [all.yaml]\nreplacements: ${replacement}\n`,
      'all.yaml': service,
    };
    assert.equal(built(files), 'Service/web\n  metadata.labels: of=web-\n  spec.selector: app=web');
  });
});
