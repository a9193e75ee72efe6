/** Tests the rename of objects: with the references to them, and with the patches of kustomizations. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

const overlays = `
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  configMapGenerator:
    - name: settings
      #     ^ generated
      literals: [level=debug]
  ==> base/web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  #                ^ web
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec:
        serviceAccountName: "robot"
        #                    ^ account
        containers:
          - name: web
            envFrom: [{configMapRef: {name: settings}}]
            #                               ^ config
  ---
  apiVersion: v1
  kind: ServiceAccount
  metadata: {name: robot}
  #                ^ robot
  ---
  apiVersion: v1
  kind: ServiceAccount
  metadata: {name: other}
  ==> prod/kustomization.yaml <==
  resources: [../base, hpa.yaml]
  namePrefix: prod-
  patches:
    - target: {kind: Deployment, name: web}
      patch: '[{"op": "remove", "path": "/spec/replicas"}]'
    - path: patch.yaml
  replacements:
    - source: {kind: ServiceAccount, name: robot, fieldPath: metadata.name}
      targets:
        - select: {kind: Deployment, name: web}
          fieldPaths: [spec.template.spec.serviceAccount]
  ==> prod/patch.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    template:
      spec:
        serviceAccountName: robot
        containers: [{name: web, envFrom: [{configMapRef: {name: settings}}]}]
  ==> prod/hpa.yaml <==
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: web}
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
  #                                                                    ^ target
`;

describe('the rename of an object', () => {
  it('changes all that names it, in patches and replacements too, from the object and from a reference', async () => {
    const b = await bench(overlays);
    const expected = [
      'base/web.yaml:3 metadata: {name: shop} (recreated)',
      'prod/kustomization.yaml:4 - target: {kind: Deployment, name: shop} (recreated)',
      'prod/kustomization.yaml:10 - select: {kind: Deployment, name: shop} (recreated)',
      'prod/patch.yaml:3 metadata: {name: shop} (recreated)',
      'prod/hpa.yaml:4 spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}} (recreated)',
    ];
    assert.equal(renameable(b, 'web'), 'web');
    assert.deepEqual(renameLines(b, 'web', 'shop'), expected);
    assert.deepEqual(renameLines(b, 'target', 'shop'), expected);
  });

  it('keeps the quotes', async () => {
    const b = await bench(overlays);
    assert.equal(renameable(b, 'account'), 'robot');
    assert.deepEqual(renameLines(b, 'robot', 'bot'), [
      'base/web.yaml:9 serviceAccountName: "bot" (recreated)',
      'base/web.yaml:16 metadata: {name: bot} (recreated)',
      'prod/kustomization.yaml:8 - source: {kind: ServiceAccount, name: bot, fieldPath: metadata.name} (recreated)',
      'prod/patch.yaml:7 serviceAccountName: bot (recreated)',
    ]);
  });

  it('renames a generated object in its generator', async () => {
    const b = await bench(overlays);
    const expected = [
      'base/kustomization.yaml:3 - name: options (recreated)',
      'base/web.yaml:12 envFrom: [{configMapRef: {name: options}}] (recreated)',
      'prod/patch.yaml:8 containers: [{name: web, envFrom: [{configMapRef: {name: options}}]}] (recreated)',
    ];
    assert.deepEqual(renameLines(b, 'generated', 'options'), expected);
    assert.deepEqual(renameLines(b, 'config', 'options'), expected);
  });

  it('is refused if the name is taken, or not valid', async () => {
    const b = await bench(overlays);
    assert.deepEqual(renameLines(b, 'robot', 'other'), ["refused: ServiceAccount 'other' already exists"]);
    assert.match(renameLines(b, 'robot', 'Not Valid')[0] ?? '', /^refused: /);
    assert.deepEqual(renameLines(b, 'robot', 'robot'), []);
  });

  it('is refused if something else determines the name, or if it is uncertain what has it', async () => {
    const b = await bench(`
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop}
      spec:
        serviceAccountName: robot
        #                   ^ twice
        containers: [{name: web, envFrom: [{secretRef: {name: db}}, {secretRef: {name: gone}}]}]
        #                                                     ^ made
        #                                                                              ^ gone
      ---
      apiVersion: external-secrets.io/v1
      kind: ExternalSecret
      metadata: {name: db, namespace: shop}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: shop}
      #                ^ namespace
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: robot}
    `);
    assert.equal(renameable(b, 'made'), 'refused: ExternalSecret/db determines this name: rename it there');
    assert.match(renameable(b, 'namespace'), /^refused: the objects of a namespace cannot be renamed with it/);
    assert.match(renameable(b, 'twice'), /^refused: it is uncertain which object/);
    assert.equal(renameable(b, 'gone'), '(none)');
  });

  it('asks about references of other scopes', async () => {
    const b = await bench(`
      ==> a/config.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings, namespace: shop}
      #                ^ here
      ==> b/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop}
      spec: {volumes: [{name: a, configMap: {name: settings}}]}
      ==> b/kustomization.yaml <==
      resources: [pod.yaml]
    `);
    assert.deepEqual(renameLines(b, 'here', 'options'), [
      'a/config.yaml:3 metadata: {name: options, namespace: shop} (recreated)',
      'b/pod.yaml:4 spec: {volumes: [{name: a, configMap: {name: options}}]} (otherName)',
    ]);
  });
});
