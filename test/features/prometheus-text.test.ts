/** Labels in the text of Prometheus configurations, in hover, navigation and rename. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameLines } from '../harness/rename-lines.ts';

const files = `
  ==> config.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: prometheus}
  data:
    prometheus.yml: |
      scrape_configs:
        - job_name: pods
          relabel_configs:
            - source_labels: [__meta_kubernetes_pod_label_example_com_team]
              #                                           ^ text
              target_label: team
            - source_labels: ["__meta_kubernetes_pod_labelpresent_example_com_team", __address__]
            - action: labelmap
              regex: __meta_kubernetes_pod_label_(.+)
            - source_labels: [__meta_kubernetes_pod_label_example_com_team_lead]
            - source_labels: [__meta_kubernetes_service_label_example_com_team]
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: prometheus}
  stringData:
    more: "- source_labels: [__meta_kubernetes_pod_label_example_com_team]\\n  regex: a"
    #                                                    ^ escaped
  ==> prometheus.yml <==
  scrape_configs:
    - job_name: pods
      relabel_configs:
        - source_labels: [__meta_kubernetes_pod_label_example_com_team]
          #                                           ^ file
        - source_labels: [__meta_kubernetes_pod_label_{{ .Values.label }}]
  ==> operator.yaml <==
  apiVersion: example.com/v1
  kind: Collector
  metadata: {name: collector}
  spec:
    config: >-
      relabel_configs:
        - source_labels:
            - __meta_kubernetes_pod_label_example_com_team
  ==> web.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {example.com/team: blue}}
  #                              ^ label
`;

describe('a label in the text of a Prometheus configuration', () => {
  it('is described by the label of the workspace with this name', async () => {
    const b = await bench(files);
    for (const place of ['text', 'escaped', 'file'])
      assert.match(b.hover(place), /^example_com_team\n---\nThe label `example\.com\/team` of a Pod\./, place);
  });

  it('is a reference to the label', async () => {
    const b = await bench(files);
    assert.equal(
      b.references('text'),
      lines(`
      config.yaml:9 example_com_team
      config.yaml:11 example_com_team
      config.yaml:15 example_com_team
      config.yaml:21 example_com_team
      web.yaml:3 example.com/team: blue
    `),
    );
    b.hover('file');
    assert.match(b.references('label'), /config\.yaml:21 example_com_team\nprometheus\.yml:4 example_com_team/);
  });

  it('is renamed after a review, from any position', async () => {
    const inText = [
      'config.yaml:9 - source_labels: [__meta_kubernetes_pod_label_squad] (command)',
      'config.yaml:11 - source_labels: ["__meta_kubernetes_pod_labelpresent_squad", __address__] (command)',
      'config.yaml:21 more: "- source_labels: [__meta_kubernetes_pod_label_squad]\\n  regex: a" (command)',
      'prometheus.yml:4 - source_labels: [__meta_kubernetes_pod_label_squad] (command)',
      'operator.yaml:8 - __meta_kubernetes_pod_label_squad (command)',
    ];
    for (const place of ['label', 'text', 'file']) {
      const b = await bench(files);
      for (const name of ['config.yaml', 'prometheus.yml', 'operator.yaml'])
        b.session.workspace.edit(b.uriOf(name), b.file(name).text);
      const renamed = renameLines(b, place, 'squad').map((line) =>
        place === 'label' || line.endsWith(' (command)') || line.startsWith('web') ? line : `${line} (command)`,
      );
      assert.deepEqual(renamed, [...inText, 'web.yaml:3 metadata: {name: web, labels: {squad: blue}}'], place);
    }
  });

  it('is no start of a rename if it may represent several labels', async () => {
    const b = await bench(files.replace('example.com/team: blue', 'example.com/team: blue, example.com.team: red'));
    assert.deepEqual(renameLines(b, 'text', 'squad'), ['(none)']);
  });

  it('is not searched in the fields of a ServiceMonitor, which are not text', async () => {
    const b = await bench(`
      ==> monitor.yaml <==
      apiVersion: monitoring.coreos.com/v1
      kind: ServiceMonitor
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        endpoints: [{metricRelabelings: [{sourceLabels: [__meta_kubernetes_pod_label_tier]}]}]
        #                                                                            ^ metric
    `);
    assert.equal(b.hover('metric'), '(none)');
  });
});
