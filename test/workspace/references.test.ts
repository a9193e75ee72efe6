/** Tests what the names in objects mean: objects, generators and what controllers create. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { keyCandidates, nameCandidates } from '../../server/src/workspace/references/candidates.ts';
import { producedBy } from '../../server/src/workspace/references/producers.ts';
import { namedObject, productsNamed, referencesTo } from '../../server/src/workspace/references/referring.ts';
import { targetsOf } from '../../server/src/workspace/references/targets.ts';
import { readFile, withFiles } from '../../server/src/workspace/snapshot.ts';
import { root, workspaceOf } from './kustomizations.ts';

const pod = (spec: string) => `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: ${spec}}\n`;
const named = (kind: string, name: string, namespace = '') =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: ${name}${namespace && `, namespace: ${namespace}`}}}\n`;
const secretVolume = (name: string) => pod(`{volumes: [{name: v, secret: {secretName: ${name}}}]}`);

/** The targets of each reference of a file, as lines. */
function targets(workspace: Workspace, name: string): readonly string[] {
  const file = workspace.files.get(`${root}/${name}`);
  assert.ok(file !== undefined);
  return file.manifest.objects.flatMap((object) =>
    (object.references ?? []).map((site) => {
      const found = targetsOf(workspace, catalogue, { file, object }, site).map(
        ({ file: there, is, kind, name: found, relation, answer }) =>
          `${relation}${answer === 'yes' ? '' : '?'} ${is} ${kind}/${found} in ${there.uri.slice(root.length + 1)}`,
      );
      return `${site.name.text}: ${found.join('; ') || 'nothing'}`;
    }),
  );
}

function references(workspace: Workspace, name: string, index = 0): readonly string[] {
  const file = workspace.files.get(`${root}/${name}`);
  const object = file?.manifest.objects[index];
  assert.ok(file !== undefined && object !== undefined);
  const products = producedBy(object, catalogue).flatMap((each) =>
    productsNamed({ file, object }, catalogue, each.name),
  );
  return [namedObject({ file, object }), ...products]
    .flatMap((each) => referencesTo(workspace, catalogue, each))
    .map(({ file: { uri }, site }) => `${uri.slice(root.length + 1)} ${site.path}`);
}

describe('a reference by name (requirement C20)', () => {
  it('refers to the object of its kind, name and namespace', () => {
    const workspace = workspaceOf({
      'pod.yaml': secretVolume('db'),
      'secrets.yaml': [named('Secret', 'db'), named('ConfigMap', 'db'), named('Secret', 'other')].join('---\n'),
    });
    assert.deepEqual(targets(workspace, 'pod.yaml'), ['db: here object Secret/db in secrets.yaml']);
    assert.deepEqual(references(workspace, 'secrets.yaml'), ['pod.yaml spec.volumes[0].secret.secretName']);
    assert.deepEqual(references(workspace, 'secrets.yaml', 1), []);
  });

  it('does not refer to an object of another namespace', () => {
    const workspace = workspaceOf({
      'a.yaml': secretVolume('db').replace('name: web', 'name: web, namespace: a'),
      'b.yaml': named('Secret', 'db', 'b'),
      'c.yaml': named('Secret', 'db'),
    });
    assert.deepEqual(targets(workspace, 'a.yaml'), ['db: here? object Secret/db in c.yaml']);
    assert.deepEqual(references(workspace, 'b.yaml'), []);
  });

  it('uses the namespace and the kind next to it', () => {
    const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: x}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, name: bot, namespace: b}, {kind: User, name: bot}]
`;
    const role = '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}}\n';
    const accounts = [named('ServiceAccount', 'bot', 'a'), named('ServiceAccount', 'bot', 'b')];
    const workspace = workspaceOf({ 'binding.yaml': binding, 'a.yaml': [role, ...accounts].join('---\n') });
    assert.deepEqual(targets(workspace, 'binding.yaml'), [
      'reader: here object ClusterRole/reader in a.yaml',
      'bot: here object ServiceAccount/bot in a.yaml',
      'bot: nothing',
    ]);
    assert.deepEqual(references(workspace, 'a.yaml', 1), []);
    assert.deepEqual(references(workspace, 'a.yaml', 2), ['binding.yaml subjects[0].name']);
  });

  it('may refer to a generator of the kustomization', () => {
    const workspace = workspaceOf({
      'base/kustomization.yaml': `resources: [pod.yaml]\nsecretGenerator: [{name: db, literals: [user=a, password=b], files: [ca=x/ca.crt, x/key.pem]}]\n`,
      'base/pod.yaml': secretVolume('db'),
    });
    assert.deepEqual(targets(workspace, 'base/pod.yaml'), ['db: here generator Secret/db in base/kustomization.yaml']);
    const file = workspace.files.get(`${root}/base/pod.yaml`);
    const object = file?.manifest.objects[0];
    const site = object?.references?.[0];
    assert.ok(file !== undefined && object !== undefined && site !== undefined);
    const keys = keyCandidates(workspace, catalogue, { file, object }, site);
    assert.deepEqual(
      keys.map(({ key }) => key.text),
      ['user', 'password', 'ca', 'key.pem'],
    );
  });

  it('in a patch means what the kustomization with the patch builds', () => {
    const workspace = workspaceOf({
      'base/kustomization.yaml': 'resources: [pod.yaml, secret.yaml]\n',
      'base/pod.yaml': pod('{containers: []}'),
      'base/secret.yaml': named('Secret', 'db'),
      'prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\npatches: [{path: patch.yaml}]\n',
      'prod/patch.yaml': secretVolume('db'),
    });
    assert.deepEqual(targets(workspace, 'prod/patch.yaml'), ['db: here object Secret/db in base/secret.yaml']);
    assert.deepEqual(references(workspace, 'base/secret.yaml'), ['prod/patch.yaml spec.volumes[0].secret.secretName']);
    const built = workspace.rendering(`${root}/prod`, catalogue)?.objects ?? [];
    assert.deepEqual(
      built.map(({ object }) => `${object.kind}/${object.name?.text}`),
      ['Pod/prod-web', 'Secret/prod-db'],
    );
  });

  it('may refer to an object that a controller creates', () => {
    const made = `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: db}
spec: {data: [{secretKey: password}]}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web}
spec: {secretName: web-tls}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: pg}
spec: {volumeClaimTemplates: [{metadata: {name: data}}]}
`;
    const volumes =
      '[{name: a, secret: {secretName: db}}, {name: b, secret: {secretName: web-tls}}, {name: c, persistentVolumeClaim: {claimName: data-pg-0}}]';
    const workspace = workspaceOf({ 'pod.yaml': pod(`{volumes: ${volumes}}`), 'made.yaml': made });
    assert.deepEqual(targets(workspace, 'pod.yaml'), [
      'db: here producer Secret/db in made.yaml',
      'web-tls: here producer Secret/web-tls in made.yaml',
      'data-pg-0: here producer PersistentVolumeClaim/data-pg-0 in made.yaml',
    ]);
    assert.deepEqual(references(workspace, 'made.yaml'), ['pod.yaml spec.volumes[0].secret.secretName']);
  });

  it('in a custom resource is found by the shape of its map', () => {
    const custom = `apiVersion: example.com/v1
kind: Shop
metadata: {name: shop}
spec: {login: {password: {name: db, key: password}}, store: {secretRef: {name: db}}, owner: {name: db}}
`;
    const workspace = workspaceOf({ 'shop.yaml': custom, 'secret.yaml': named('Secret', 'db') });
    const expected = 'db: here object Secret/db in secret.yaml';
    assert.deepEqual(targets(workspace, 'shop.yaml'), [expected, expected]);
  });

  it('refers to an object of its own chart by the code of the template', () => {
    const workspace = workspaceOf({
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': secretVolume("'{{ .Release.Name }}-db'"),
      'chart/templates/secret.yaml': named('Secret', "'{{ .Release.Name }}-db'"),
    });
    assert.deepEqual(targets(workspace, 'chart/templates/pod.yaml'), [
      '{{ .Release.Name }}-db: here object Secret/{{ .Release.Name }}-db in chart/templates/secret.yaml',
    ]);
  });

  it('is found after each change of a file', () => {
    const before = workspaceOf({ 'pod.yaml': secretVolume('db'), 'secret.yaml': named('Secret', 'db') });
    assert.deepEqual(references(before, 'secret.yaml'), ['pod.yaml spec.volumes[0].secret.secretName']);
    const uri = `${root}/pod.yaml`;
    const after = withFiles(before, [[uri, readFile(uri, secretVolume('other'), catalogue)]]);
    assert.deepEqual(references(after, 'secret.yaml'), []);
    assert.deepEqual(references(before, 'secret.yaml'), ['pod.yaml spec.volumes[0].secret.secretName']);
    assert.deepEqual(references(withFiles(after, [[uri, undefined]]), 'secret.yaml'), []);
  });

  it('has candidates, the nearest first', () => {
    const workspace = workspaceOf({
      'shop/pod.yaml': secretVolume('x'),
      'shop/secret.yaml': named('Secret', 'db'),
      'other/kustomization.yaml': 'secretGenerator: [{name: made}]\n',
    });
    const file = workspace.files.get(`${root}/shop/pod.yaml`);
    const object = file?.manifest.objects[0];
    const site = object?.references?.[0];
    assert.ok(file !== undefined && object !== undefined && site !== undefined);
    const names = nameCandidates(workspace, catalogue, { file, object }, site);
    assert.deepEqual(
      names.map(({ name, relation, is }) => `${relation} ${is} ${name}`),
      ['here object db', 'elsewhere generator made'],
    );
  });
});
