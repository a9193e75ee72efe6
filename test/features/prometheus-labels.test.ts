/** Labels as Prometheus names them in relabelings, in hover, navigation and rename. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameLines } from '../harness/rename-lines.ts';

const files = `
  ==> monitor.yaml <==
  apiVersion: monitoring.coreos.com/v1
  kind: ServiceMonitor
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    targetLabels: [example.com/team]
    endpoints:
      - port: http
        relabelings:
          - sourceLabels: [__meta_kubernetes_service_label_example_com_team]
            #                                              ^ service
            targetLabel: team
          - sourceLabels: ["__meta_kubernetes_pod_labelpresent_tier", __address__]
            #                                                  ^ pod
          - sourceLabels: [__meta_kubernetes_namespace_label_owner]
            #                                                ^ unknown
          - sourceLabels: [__meta_kubernetes_node_label_kubernetes_io_arch]
            #                                           ^ node
        metricRelabelings:
          - sourceLabels: [__meta_kubernetes_pod_label_tier]
  ==> web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, labels: {app: web, example.com/team: blue}}
  #                                        ^ team
  spec: {selector: {run: web}}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {run: web, tier: front}}
  #                                        ^ tier
`;

describe('a label in a relabeling of Prometheus', () => {
  it('is described by the label of the workspace with this name', async () => {
    const b = await bench(files);
    assert.match(b.hover('service'), /^example_com_team\n---\nThe label `example\.com\/team` of a Service\./);
    assert.match(b.hover('pod'), /^tier\n---\nThe label `tier` of a Pod\./);
    assert.match(b.hover('unknown'), /No Namespace in this workspace has a label with this name\./);
    assert.match(b.hover('node'), /The label `kubernetes\.io\/arch` of a Node\./);
  });

  it('is a reference to the label', async () => {
    const b = await bench(files);
    assert.match(b.references('service'), /web\.yaml:3 example\.com\/team: blue/);
    assert.match(b.references('service'), /monitor\.yaml:6 example\.com\/team/);
    assert.match(b.highlights('service'), /6 example\.com\/team/);
  });

  it('is renamed with the labels that its object selects, also through a service', async () => {
    const b = await bench(files);
    assert.deepEqual(renameLines(b, 'team', 'example.com/squad'), [
      'monitor.yaml:6 targetLabels: [example.com/squad]',
      'monitor.yaml:10 - sourceLabels: [__meta_kubernetes_service_label_example_com_squad]',
      'web.yaml:3 metadata: {name: web, labels: {app: web, example.com/squad: blue}}',
    ]);
    assert.deepEqual(renameLines(b, 'service', 'example.com/squad'), renameLines(b, 'team', 'example.com/squad'));
    assert.equal(b.definition('service'), 'web.yaml:3 example.com/team: blue');
    assert.deepEqual(renameLines(b, 'tier', 'layer'), [
      'monitor.yaml:12 - sourceLabels: ["__meta_kubernetes_pod_labelpresent_layer", __address__]',
      'web.yaml:8 metadata: {name: web, labels: {run: web, layer: front}}',
    ]);
  });

  it('is unchanged by a new key with the same name', async () => {
    assert.deepEqual(renameLines(await bench(files), 'team', 'example.com.team'), [
      'monitor.yaml:6 targetLabels: [example.com.team]',
      'web.yaml:3 metadata: {name: web, labels: {app: web, example.com.team: blue}}',
    ]);
  });

  it('is uncertain if it may represent several labels', async () => {
    const more = files.replace('tier: front', 'x.y: a, x-y: b');
    const b = await bench(more.replace('labelpresent_tier', 'labelpresent_x_y'));
    assert.match(b.hover('pod'), /This name represents one of several labels of a Pod: `x\.y` or `x-y`\./);
    assert.deepEqual(renameLines(b, 'tier', 'layer'), [
      'monitor.yaml:12 - sourceLabels: ["__meta_kubernetes_pod_labelpresent_layer", __address__] (uncertain)',
      'web.yaml:8 metadata: {name: web, labels: {run: web, layer: a, x-y: b}}',
    ]);
  });
});
