/** Tests that objects of operators with known pods do not hide misspelled selectors. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

async function findings(others: string): Promise<readonly string[]> {
  const b = await bench(`
  ==> monitoring.yaml <==
  apiVersion: monitoring.coreos.com/v1
  kind: Prometheus
  metadata: {name: shop, namespace: monitoring}
  spec: {serviceMonitorSelector: {matchLabels: {release: kube-prometeus}}}
  ---
  apiVersion: monitoring.coreos.com/v1
  kind: ServiceMonitor
  metadata: {name: shop, namespace: monitoring, labels: {release: kube-prometheus}}
  spec: {selector: {matchLabels: {app.kubernetes.io/name: shopp}}, endpoints: [{port: http}]}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: shop, namespace: monitoring, labels: {app.kubernetes.io/name: shop}}
  spec: {selector: {app.kubernetes.io/name: shpo}, ports: [{name: http, port: 80}]}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: shop, namespace: monitoring, labels: {app.kubernetes.io/name: shop}}
  spec: {containers: [{name: shop, image: shop}]}
${others.replaceAll(/^/gm, '  ')}
  `);
  return b
    .findings('monitoring.yaml')
    .map(({ rule, severity, message }) => `${severity} ${rule}: ${/Closest: (\S+)/.exec(message)?.[1]}`);
}

const expected = [
  'warning selects-nothing: ServiceMonitor/shop',
  'warning selects-nothing: Service/shop',
  'warning selects-nothing: Pod/shop',
];

describe('a misspelled selector', () => {
  it('is found beside an AlertmanagerConfig, for which no pods are created', async () => {
    const routes = `---
apiVersion: monitoring.coreos.com/v1alpha1
kind: AlertmanagerConfig
metadata: {name: shop, namespace: monitoring}
spec: {route: {receiver: team}, receivers: [{name: team}]}`;
    assert.deepEqual(await findings(routes), expected);
  });

  it('is found beside an OpenTelemetryCollector, whose pods have known labels', async () => {
    const collector = `---
apiVersion: opentelemetry.io/v1beta1
kind: OpenTelemetryCollector
metadata: {name: traces, namespace: monitoring}
spec: {config: {}, targetAllocator: {enabled: true}}`;
    assert.deepEqual(await findings(collector), expected);
  });
});

describe('the pods of an OpenTelemetryCollector', () => {
  it('have names of the collector, or its own label', async () => {
    const b = await bench(`
      ==> collector.yaml <==
      apiVersion: opentelemetry.io/v1beta1
      kind: OpenTelemetryCollector
      metadata: {name: traces, namespace: monitoring}
      spec: {config: {}, targetAllocator: {enabled: true}}
      ---
      apiVersion: opentelemetry.io/v1beta1
      kind: OpenTelemetryCollector
      metadata: {name: logs, namespace: monitoring, labels: {app.kubernetes.io/name: log-pipeline}}
      spec: {config: {}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: traces, namespace: monitoring}
      spec: {selector: {app.kubernetes.io/name: traces-collector}, ports: [{port: 4317}]}
      #                                         ^^^ traces
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: allocator, namespace: monitoring}
      spec: {selector: {app.kubernetes.io/name: traces-targetallocator}, ports: [{port: 80}]}
      #                                         ^^^ allocator
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: logs, namespace: monitoring}
      spec: {selector: {app.kubernetes.io/name: log-pipeline}, ports: [{port: 4317}]}
      #                                         ^^^ logs
    `);
    assert.match(b.preview('traces'), /traces/);
    assert.match(b.preview('allocator'), /traces/);
    assert.match(b.preview('logs'), /logs/);
    assert.deepEqual(b.findings('collector.yaml'), []);
  });
});
