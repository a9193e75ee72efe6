/** Tests how Flux Kustomizations build the content of their path. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { generatorContents } from '../../../server/src/manifests/kustomize/kustomization.ts';
import { lines } from '../../harness/margin.ts';
import { built, root, service, workspaceOf } from '../kustomizations.ts';
import { builtBy, configMap, type Files, flux, namesBuiltBy } from './flux-files.ts';

/** The objects that a Kustomization with further fields builds. */
function builtWith(spec: string, files: Files): string {
  return built({ 'ks.yaml': flux('app', `path: app, ${spec}`), ...files }, `${root}/ks.yaml`).replaceAll(
    /\n {2}metadata\.labels: kustomize[^\n]*/g,
    '',
  );
}

const kustomization = (text: string) => ({ 'app/kustomization.yaml': `${text}\n` });

describe('the content of a Flux Kustomization', () => {
  const ks = { 'ks.yaml': flux('app', 'path: app') };

  it('is decided by a kustomization file with any of its names', () => {
    for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
      const files = {
        ...ks,
        [`app/${name}`]: 'resources: [a.yaml]\n',
        'app/a.yaml': configMap('a'),
        'app/b.yaml': configMap('b'),
      };
      assert.deepEqual(namesBuiltBy('ks.yaml', files), ['a'], name);
    }
  });

  it('may be empty', () => {
    assert.deepEqual(namesBuiltBy('ks.yaml', { ...ks, 'app/readme.txt': 'x' }), []);
    assert.deepEqual(namesBuiltBy('ks.yaml', { ...ks, ...kustomization('namespace: x') }), []);
  });

  it('has no objects of files that are not manifests', () => {
    const files = { ...ks, 'app/a.yaml': configMap('a'), 'app/values.yaml': 'replicas: 1\n' };
    assert.deepEqual(namesBuiltBy('ks.yaml', files), ['a']);
  });

  it('may be in files of other folders, which kustomize itself refuses', () => {
    const files = { ...ks, ...kustomization('resources: [../shared/a.yaml]'), 'shared/a.yaml': configMap('a') };
    assert.deepEqual(namesBuiltBy('ks.yaml', files), ['a']);
  });

  it('is the same while it is suspended, and with fields that only decide when it is applied', () => {
    const files = { 'app/a.yaml': configMap('a') };
    const timing = 'suspend: true, prune: true, wait: true, force: true, dependsOn: [{name: x}], serviceAccountName: x';
    assert.equal(builtWith(timing, files), 'ConfigMap/a');
  });

  it('includes objects that Flux does not apply again', () => {
    const text =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}}\n';
    assert.deepEqual(namesBuiltBy('ks.yaml', { ...ks, 'app/a.yaml': text }), ['a']);
  });
});

describe('the namespace of a Flux Kustomization', () => {
  const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: web}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: web}
subjects: [{kind: ServiceAccount, name: default, namespace: y}]
---
apiVersion: v1
kind: Namespace
metadata: {name: web}
`;

  it('replaces that of the kustomization, and renames a Namespace (scenario 3)', () => {
    const files = { ...kustomization('namespace: y\nresources: [web.yaml]'), 'app/web.yaml': binding };
    assert.equal(builtWith('targetNamespace: x', files), 'RoleBinding/web in x\nNamespace/x');
  });

  it('is not that of the Kustomization itself', () => {
    assert.equal(builtWith('prune: true', { 'app/a.yaml': configMap('a') }), 'ConfigMap/a');
  });

  it('is that of another cluster with a configuration for it', () => {
    const workspace = workspaceOf({
      'ks.yaml': `${flux('a', 'path: a, kubeConfig: {secretRef: {name: far}}')}${flux('b', 'path: b')}${flux('c', 'path: c, kubeConfig: {secretRef: {name: other}}')}`,
      'a/a.yaml': `${configMap('a')}${flux('e', 'path: e')}`,
      'd.yaml': flux('d', 'path: d'),
      'd/d.yaml': configMap('d'),
      'e/e.yaml': configMap('e'),
      'b/b.yaml': configMap('b'),
      'c/c.yaml': configMap('c'),
    });
    const relation = (from: string, to: string) => workspace.scopes().relation(`${root}/${from}`, `${root}/${to}`);
    assert.equal(relation('a/a.yaml', 'c/c.yaml'), 'apart');
    assert.equal(relation('a/a.yaml', 'b/b.yaml'), 'apart');
    assert.equal(relation('b/b.yaml', 'd/d.yaml'), 'elsewhere');
    // Its own definition is applied to the other cluster.
    assert.equal(relation('a/a.yaml', 'e/e.yaml'), 'elsewhere');
    assert.equal(relation('b/b.yaml', 'e/e.yaml'), 'apart');
  });
});

describe('the changes of a Flux Kustomization', () => {
  it('keep the prefix of the kustomization if its own prefix is empty (scenario 4)', () => {
    const files = { ...kustomization('namePrefix: dev-\nresources: [a.yaml]'), 'app/a.yaml': configMap('a') };
    assert.equal(builtWith('namePrefix: ""', files), 'ConfigMap/dev-a');
    assert.equal(builtWith('namePrefix: prod-', files), 'ConfigMap/prod-a');
  });

  it('rename everything but Namespaces, definitions and API services', () => {
    const kinds = [
      ['v1', 'Namespace'],
      ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
      ['apiregistration.k8s.io/v1', 'APIService'],
      ['v1', 'ServiceAccount'],
    ];
    const text = kinds
      .map(([version, kind]) => `apiVersion: ${version}\nkind: ${kind}\nmetadata: {name: x}\n`)
      .join('---\n');
    assert.equal(
      builtWith('namePrefix: p-', { 'app/a.yaml': text }),
      'Namespace/x\nCustomResourceDefinition/x\nAPIService/x\nServiceAccount/p-x',
    );
  });

  it('include the older kinds of patches', () => {
    const merge =
      'patchesStrategicMerge: [{apiVersion: v1, kind: Service, metadata: {name: web, annotations: {a: b}}}]';
    const operations =
      'patchesJson6902: [{target: {version: v1, kind: Service, name: web}, patch: [{op: replace, path: /spec/selector/app, value: api}]}]';
    assert.equal(
      builtWith(`${merge}, ${operations}`, { 'app/web.yaml': service }),
      lines(`
        Service/web
          metadata.annotations: a=b
          spec.selector: app=api
      `),
    );
  });

  it('leave out components that do not exist if it says so (scenario 5)', () => {
    const isWhole = (spec: string) => {
      const files = {
        'ks.yaml': flux('app', `path: app, components: [../mon], ${spec}`),
        'app/a.yaml': configMap('a'),
      };
      return workspaceOf(files).rendering(`${root}/ks.yaml`, catalogue)?.isWhole;
    };
    assert.equal(isWhole('ignoreMissingComponents: true'), true);
    assert.equal(isWhole('prune: true'), false);
  });

  it('may include the label of the builder', () => {
    const labels = built(
      { 'ks.yaml': flux('app', 'path: app, buildMetadata: [managedByLabel]'), 'app/a.yaml': configMap('a') },
      `${root}/ks.yaml`,
    );
    assert.match(labels, /app.kubernetes.io\/managed-by=kustomize/);
  });

  it('reach objects, and no templates or selectors, with owner labels and common metadata', () => {
    const workload = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {kustomize.toolkit.fluxcd.io/name: other}}\nspec:\n  selector: {matchLabels: {app: web}}\n  template: {metadata: {labels: {app: web}}}\n`;
    assert.equal(
      built(
        { 'ks.yaml': flux('app', 'path: app, commonMetadata: {labels: {team: a}}'), 'app/web.yaml': workload },
        `${root}/ks.yaml`,
      ),
      lines(`
        Deployment/web
          metadata.labels: kustomize.toolkit.fluxcd.io/name=app, kustomize.toolkit.fluxcd.io/namespace=flux-system, team=a
          spec.template.metadata.labels: app=web
          spec.selector: app=web
      `),
    );
  });

  it('set images, which are no part of labels and names (scenario 6)', () => {
    const files = {
      ...kustomization('images: [{name: app, newName: r/app, digest: "sha256:0"}]\nresources: [web.yaml]'),
      'app/web.yaml': service,
    };
    assert.equal(builtWith('images: [{name: app, newTag: "2"}]', files), builtWith('prune: true', files));
  });
});

describe('an encrypted file', () => {
  const encrypted = 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]';

  it('is an ordinary Secret with unknown values and labels', () => {
    const secret = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  labels:\n    team: ${encrypted}\nstringData:\n  KEY: ${encrypted}\nsops:\n  mac: ${encrypted}\n  version: 3.8.1\n`;
    const files = { 'ks.yaml': flux('app', 'path: app, decryption: {provider: sops}'), 'app/s.yaml': secret };
    const [object] = builtBy('ks.yaml', files);
    const team = object?.object.labels?.entries.find(({ key }) => key.text === 'team');
    assert.equal(typeof team?.value.value, 'object');
    assert.deepEqual(
      object?.object.dataKeys?.keys.map(({ text }) => text),
      ['KEY'],
    );
  });

  it('gives a generated object a name with an unknown hash', () => {
    const text = 'secretGenerator: [{name: s, envs: [s.env]}]';
    const of = (content: string) => generatorContents(text, () => ({ bytes: new Uint8Array(1), text: content }));
    assert.equal(of(`KEY=${encrypted}\n`)[0], undefined);
    assert.notEqual(of('KEY=plain\n')[0], undefined);
  });
});
