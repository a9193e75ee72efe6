/** Tests fields that name a label by its key only, in hover, navigation and rename. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameLines } from '../harness/rename-lines.ts';

const deployment = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata:
        labels: {app: web}
        #        ^ label
      spec:
        containers:
          - name: web
            image: web
            env:
              - name: APP
                valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}
                #                                                   ^ env
              - name: VERSION
                valueFrom:
                  fieldRef:
                    fieldPath: metadata.labels['version']
                    #                           ^ missing
              - name: NAME
                valueFrom: {fieldRef: {fieldPath: metadata.name}}
        topologySpreadConstraints:
          - maxSkew: 1
            topologyKey: kubernetes.io/hostname
            matchLabelKeys: [app]
            #                ^ matchKey
            whenUnsatisfiable: DoNotSchedule
            labelSelector: {matchLabels: {app: web}}
        volumes:
          - name: info
            downwardAPI:
              items:
                - path: app
                  fieldRef: {fieldPath: 'metadata.labels[''app'']'}
                  #                                        ^ volume
          - name: all
            projected:
              sources:
                - downwardAPI:
                    items: [{path: app, fieldRef: {fieldPath: "metadata.labels['app']"}}]
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec: {selector: {app: web}}
  #                 ^ selector
`;

describe('a label key in a field of a pod', () => {
  it('is explained with the value of the label', async () => {
    const b = await bench(deployment);
    assert.match(b.hover('env'), /^app\n---\nThe label `app` is `web` here\./);
    assert.match(b.hover('volume'), /^app\n---\nThe label `app` is `web` here\./);
    assert.match(b.hover('matchKey'), /The label `app` is `web` here\./);
    assert.match(b.hover('missing'), /^version\n---\nNo label `version` is set here\.\n/);
  });

  it('leads to the label', async () => {
    const b = await bench(deployment);
    assert.equal(b.definition('env'), 'web.yaml:8 app: web');
    assert.equal(b.definition('missing'), '(none)');
  });

  it('is a reference to the label', async () => {
    const b = await bench(deployment);
    const all = lines(`
      web.yaml:5 app: web
      web.yaml:8 app: web
      web.yaml:15 app
      web.yaml:25 app
      web.yaml:27 app: web
      web.yaml:33 app
      web.yaml:38 app
      service.yaml:4 app: web
    `);
    assert.equal(b.references('label'), all);
    assert.equal(b.references('volume'), all);
    assert.match(b.references('selector'), /web\.yaml:15 app\n/);
    assert.match(b.highlights('env'), /33 app \(selector\)/);
  });

  it('is renamed with the label, from any position', async () => {
    for (const place of ['label', 'env', 'volume', 'matchKey']) {
      const b = await bench(deployment);
      assert.deepEqual(
        renameLines(b, place, 'tier').map((line) => line.replace(' (immutable)', '')),
        [
          'web.yaml:5 selector: {matchLabels: {tier: web}}',
          'web.yaml:8 labels: {tier: web}',
          `web.yaml:15 valueFrom: {fieldRef: {fieldPath: "metadata.labels['tier']"}}`,
          'web.yaml:25 matchLabelKeys: [tier]',
          'web.yaml:27 labelSelector: {matchLabels: {tier: web}}',
          "web.yaml:33 fieldRef: {fieldPath: 'metadata.labels[''tier'']'}",
          `web.yaml:38 items: [{path: app, fieldRef: {fieldPath: "metadata.labels['tier']"}}]`,
          'service.yaml:4 spec: {selector: {tier: web}}',
        ],
        place,
      );
    }
  });

  it('is renamed in an object that a kustomization applies', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [pod.yaml]
      labels: [{pairs: {team: blue}}]
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      #                              ^ label
      spec:
        containers:
          - name: web
            env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}]
    `);
    assert.deepEqual(renameLines(b, 'label', 'tier'), [
      'pod.yaml:3 metadata: {name: web, labels: {tier: web}}',
      `pod.yaml:7 env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['tier']"}}}]`,
    ]);
  });
});

describe('a label key in a patch of a pod', () => {
  const files = `
    ==> base/kustomization.yaml <==
    resources: [pod.yaml]
    ==> base/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web, labels: {app: web}}
    #                              ^ label
    spec: {containers: [{name: web, image: web}]}
    ==> prod/kustomization.yaml <==
    resources: [../base]
    patches: [{path: env.yaml}]
    ==> prod/env.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec:
      containers:
        - name: web
          env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}]
          #                                                                   ^ field
  `;

  it('is renamed with the label, from any position', async () => {
    for (const place of ['label', 'field'])
      assert.deepEqual(
        renameLines(await bench(files), place, 'tier'),
        [
          'base/pod.yaml:3 metadata: {name: web, labels: {tier: web}}',
          `prod/env.yaml:7 env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['tier']"}}}]`,
        ],
        place,
      );
  });

  it('is not reported as missing', async () => {
    assert.doesNotMatch((await bench(files)).hover('field'), /No label/);
  });
});

describe('a label key of other objects', () => {
  const monitor = `
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web, labels: {team: blue}}
    spec:
      selector: {matchLabels: {team: blue}}
      targetLabels: [team]
      #              ^ target
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web, labels: {team: blue}}
    #                              ^ label
  `;

  it('is renamed with the labels that a selector of the object selects', async () => {
    const b = await bench(monitor);
    const renamed = renameLines(b, 'label', 'squad');
    assert.ok(renamed.includes('manifest.yaml:6 targetLabels: [squad]'), renamed.join('\n'));
  });

  it('leads to these labels, and a rename can start there', async () => {
    const b = await bench(monitor);
    assert.equal(b.definition('target'), 'manifest.yaml:10 team: blue');
    assert.deepEqual(renameLines(b, 'target', 'squad'), renameLines(b, 'label', 'squad'));
    assert.ok(renameLines(b, 'target', 'squad').includes('manifest.yaml:6 targetLabels: [squad]'));
  });

  it('is no start of a rename if no selected object has the label', async () => {
    const b = await bench(monitor.replace('targetLabels: [team]', 'targetLabels: [tier]'));
    assert.deepEqual(renameLines(b, 'target', 'squad'), ['(none)']);
    assert.equal(b.definition('target'), '(none)');
  });

  it('is a reference', async () => {
    assert.match((await bench(monitor)).references('label'), /manifest\.yaml:6 team/);
  });
});

describe('a label key of an object without the label', () => {
  const files = `
    ==> web.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: web, labels: {example.com/team: blue}}
    #                              ^ label
    ==> other.yaml <==
    apiVersion: v1
    kind: Pod
    metadata: {name: other}
    spec:
      containers:
        - name: web
          env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['example.com/team']"}}}]
          #                                                                   ^ field
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: example.com/team}]
    ==> scrape.yaml <==
    apiVersion: monitoring.coreos.com/v1alpha1
    kind: ScrapeConfig
    metadata: {name: pods}
    spec:
      relabelings: [{sourceLabels: [__meta_kubernetes_pod_label_example_com_team]}]
      #                                                         ^ relabeling
    ==> monitor.yaml <==
    apiVersion: monitoring.coreos.com/v1
    kind: PodMonitor
    metadata: {name: none}
    spec:
      selector: {matchLabels: {app: none}}
      podMetricsEndpoints: [{relabelings: [{sourceLabels: [__meta_kubernetes_pod_label_example_com_team]}]}]
  `;

  it('is a reference, from any position', async () => {
    const b = await bench(files);
    const all = [
      'web.yaml:3 example.com/team: blue',
      'other.yaml:7 example.com/team',
      'other.yaml:10 example.com/team',
      'scrape.yaml:5 example_com_team',
      'monitor.yaml:6 example_com_team',
    ];
    for (const place of ['label', 'field', 'relabeling'])
      assert.deepEqual(b.references(place).split('\n').toSorted(), all.toSorted(), place);
  });

  it('is renamed after a review if it names labels of all targets, and otherwise unchanged', async () => {
    assert.deepEqual(renameLines(await bench(files), 'label', 'squad'), [
      'web.yaml:3 metadata: {name: web, labels: {squad: blue}}',
      'scrape.yaml:5 relabelings: [{sourceLabels: [__meta_kubernetes_pod_label_squad]}] (uncertain)',
    ]);
  });

  it('is no reference in an overlay that is applied apart', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [base.yaml]
      ==> base/base.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: common}
      ==> a/kustomization.yaml <==
      resources: [../base, pod.yaml]
      ==> a/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      #                              ^ label
      ==> b/kustomization.yaml <==
      resources: [../base, pod.yaml]
      ==> b/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: api}
      spec:
        containers:
          - name: web
            env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}]
    `);
    assert.equal(b.references('label'), 'a/pod.yaml:3 app: web');
  });
});
