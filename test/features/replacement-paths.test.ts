/** Label keys in the field paths of kustomize's replacements, in hover, navigation and rename. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

const objects = `
  ==> deployment.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, labels: {app: web}}
  #                              ^ label
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: web, image: web}]}
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: front, labels: {app: front}}
  #                                ^ front
  spec: {selector: {app.kubernetes.io/name: none}}
  #                 ^ selector
`;

const files = `
  ==> kustomization.yaml <==
  resources: [deployment.yaml, service.yaml]
  replacements:
    - source: {kind: Deployment, name: web, fieldPath: metadata.labels.app}
      #                                                                ^ source
      targets:
        - select: {kind: Service}
          fieldPaths: ["spec.selector.[app.kubernetes.io/name]"]
          #                            ^ target
    - path: more.yaml
  ==> more.yaml <==
  source: {kind: ConfigMap, name: none}
  targets:
    - select: {kind: Deployment}
      fieldPaths:
        - spec.template.metadata.labels.app
        #                               ^ more
        - spec.selector.matchLabels.app
        - metadata.annotations.app
        - spec.template.metadata.labels.other
  ${objects}
`;

const renamed = [
  'kustomization.yaml:3 - source: {kind: Deployment, name: web, fieldPath: metadata.labels.tier} (immutable)',
  'more.yaml:5 - spec.template.metadata.labels.tier (immutable)',
  'more.yaml:6 - spec.selector.matchLabels.tier (immutable)',
  'deployment.yaml:3 metadata: {name: web, labels: {tier: web}} (immutable)',
  'deployment.yaml:5 selector: {matchLabels: {tier: web}} (immutable)',
  'deployment.yaml:7 metadata: {labels: {tier: web}} (immutable)',
];

describe('a field path of a replacement', () => {
  it('is renamed with the label of the objects that it selects', async () => {
    for (const place of ['label', 'source', 'more']) {
      const b = await bench(files);
      assert.equal(renameable(b, place), 'app');
      assert.deepEqual(renameLines(b, place, 'tier'), renamed, place);
    }
  });

  it('is not renamed with a label of other objects', async () => {
    assert.deepEqual(renameLines(await bench(files), 'front', 'tier'), [
      'service.yaml:3 metadata: {name: front, labels: {tier: front}}',
    ]);
  });

  it('preserves its form, in which dots are no separators', async () => {
    const b = await bench(files);
    assert.equal(renameable(b, 'target'), 'app.kubernetes.io/name');
    const all = renameLines(b, 'selector', 'example.com/name');
    assert.deepEqual(all, [
      'kustomization.yaml:6 fieldPaths: ["spec.selector.[example.com/name]"]',
      'service.yaml:4 spec: {selector: {example.com/name: none}}',
    ]);
    assert.deepEqual(renameLines(b, 'target', 'example.com/name'), all);
    const dotted = renameLines(b, 'label', 'example.com/app');
    assert.equal(dotted[0]?.includes('fieldPath: metadata.labels.example\\.com/app}'), true, dotted[0]);
  });

  it('is explained, and is a reference to the label', async () => {
    const b = await bench(files);
    assert.match(b.hover('target'), /^app\.kubernetes\.io\/name\n/);
    assert.match(b.references('label'), /kustomization\.yaml:3 app$/);
    assert.match(b.references('source'), /deployment\.yaml:3 app: web/);
    assert.match(b.highlights('source'), /3 app \(selector\)/);
  });

  it('may select items of a list', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [policy.yaml]
      replacements:
        - sourceValue: web
          targets:
            - select: {kind: NetworkPolicy}
              fieldPaths: ["spec.ingress.0.from.*.podSelector.matchLabels.app"]
              #                                                           ^ path
      ==> policy.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: web}
      spec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {app: old}}}]}]}
    `);
    assert.deepEqual(renameLines(b, 'path', 'tier'), [
      'kustomization.yaml:6 fieldPaths: ["spec.ingress.0.from.*.podSelector.matchLabels.tier"]',
      'policy.yaml:4 spec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {tier: old}}}]}]}',
    ]);
  });

  it('that creates the label is renamed with it', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [pod.yaml, service.yaml]
      replacements:
        - source: {kind: Service, fieldPath: metadata.name}
          targets:
            - select: {kind: Pod}
              fieldPaths: [metadata.labels.app]
              options: {create: true}
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}}
      #                 ^ selector
    `);
    assert.deepEqual(renameLines(b, 'selector', 'tier'), [
      'kustomization.yaml:6 fieldPaths: [metadata.labels.tier]',
      'service.yaml:4 spec: {selector: {tier: web}}',
    ]);
  });
});
