/** Tests that nothing is reported about parts that operators, charts and controllers add. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const monitor = (labels: string, port: string) => `
  ---
  apiVersion: monitoring.coreos.com/v1
  kind: PodMonitor
  metadata: {name: basket, namespace: shop}
  spec: {selector: {matchLabels: {${labels}}}, podMetricsEndpoints: [{port: ${port}}]}
`;

const rollout = `
  apiVersion: argoproj.io/v1alpha1
  kind: Rollout
  metadata: {name: basket, namespace: shop}
  spec:
    selector: {matchLabels: {app: basket}}
    template:
      metadata: {labels: {app: basket}}
      spec: {containers: [{name: web, image: basket, ports: [{name: http, containerPort: 8080}]}]}
`;

const cluster = `
  apiVersion: ray.io/v1
  kind: RayCluster
  metadata: {name: basket, namespace: shop}
  spec:
    headGroupSpec:
      rayStartParams: {}
      template: {spec: {containers: [{name: head, image: ray, ports: [{name: gcs-server, containerPort: 6379}]}]}}
`;

const server = `
  apiVersion: serving.knative.dev/v1
  kind: Service
  metadata: {name: basket, namespace: shop}
  spec:
    template:
      metadata: {labels: {app: basket}}
      spec: {containers: [{image: basket, ports: [{name: h2c, containerPort: 8080}]}]}
`;

const route = (name: string) => `
  apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: basket, namespace: shop}
  spec: {rules: [{backendRefs: [{name: ${name}, port: 80}]}]}
`;

const service = (name: string) => `
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: ${name}, namespace: shop}
  spec: {selector: {app: elsewhere}, ports: [{port: 80}]}
`;

async function findings(text: string, others = ''): Promise<readonly string[]> {
  const b = await bench(`  ==> a.yaml <==${text}${others}`);
  return b
    .findings('a.yaml')
    .flatMap(({ rule, severity }) => (rule === 'selects-nothing' ? [] : `${severity} ${rule}`));
}

describe('a port name', () => {
  it('may belong to a container or port that an operator adds to the pods', async () => {
    assert.deepEqual(await findings(cluster + monitor('ray.io/cluster: basket', 'metrics')), []);
    assert.deepEqual(await findings(server + monitor('serving.knative.dev/service: basket', 'http-usermetric')), []);
  });

  it('is missing in pods that a controller creates as their template describes them', async () => {
    assert.deepEqual(await findings(rollout + monitor('app: basket', 'metrics')), [
      'warning service-port-without-match',
    ]);
  });
});

describe('the name of a missing Service', () => {
  it('may be that of an object that a chart or a remote base creates', async () => {
    const text = route('basket') + service('basket-svc');
    assert.deepEqual(await findings(text), ['warning reference-missing']);
    for (const field of [
      'helmCharts: [{name: app, releaseName: basket, repo: https://charts.example.com}]',
      'bases: [https://git.example.com/shop//basket?ref=v1]',
    ])
      assert.deepEqual(
        await findings(text, `\n  ==> kustomization.yaml <==\n  resources: [a.yaml]\n  ${field}\n`),
        [],
        field,
      );
  });

  it('is no old name of an object with a name for another purpose', async () => {
    assert.deepEqual(await findings(route('basket') + service('basket-exporter')), ['hint reference-missing']);
  });

  it('may be that of a Service that an operator creates', async () => {
    const custom = (apiVersion: string, kind: string) => `
  ---
  apiVersion: ${apiVersion}
  kind: ${kind}
  metadata: {name: hooks, namespace: shop}
  spec: {}
`;
    for (const [name, apiVersion, kind] of [
      ['el-hooks', 'triggers.tekton.dev/v1beta1', 'EventListener'],
      ['minio', 'minio.min.io/v2', 'Tenant'],
      ['rfs-hooks', 'databases.spotahome.com/v1', 'RedisFailover'],
      ['vmselect-hooks', 'operator.victoriametrics.com/v1beta1', 'VMCluster'],
      ['clickhouse-hooks', 'clickhouse.altinity.com/v1', 'ClickHouseInstallation'],
    ] as const) {
      assert.deepEqual(await findings(route(name) + custom(apiVersion, kind)), [], name);
      assert.deepEqual(await findings(route(name)), ['hint reference-missing']);
    }
  });
});
