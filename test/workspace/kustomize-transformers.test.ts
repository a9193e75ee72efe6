/** What do configurations and transformers of a kustomization change? Expected is what `kubectl kustomize` printed. */
import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { built, deployment, service } from './kustomizations.ts';

describe('transformers of a kustomization', () => {
  it('heeds configurations and transformers of its own, and is uncertain behind those of others', () => {
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
    assert.match(built({ ...files, 'label.yaml': other }), /labels: a=b and more\n.*selector: a=b and more/);
  });

  it('heeds transformers that are written in it, and is uncertain behind those that it does not know', () => {
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
      assert.match(built(changed), /spec.selector: app=web and more/);
    }
  });

  it('lets transformers change only what they name', () => {
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

  it('says by what it is built only where it is built by itself, and no version', () => {
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
});
