/** Tests what is stated about connections whose ends or policies are not evaluated: pods that an operator creates, and to which it may add labels, and policies of a mesh. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const cluster = (peer: string, direction = 'Ingress') =>
  lines(`
  apiVersion: monitoring.coreos.com/v1
  kind: Prometheus
  metadata: {name: k8s, namespace: shop}
  spec: {}
  ---
  apiVersion: apps/v1
  kind: Deployment
  #     ^ web
  metadata: {name: web, namespace: shop}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: main, image: example, ports: [{containerPort: 80}]}]}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: other, namespace: shop}
  spec:
    selector: {matchLabels: {app: other}}
    template:
      metadata: {labels: {app: other}}
      spec: {containers: [{name: main, image: example, ports: [{containerPort: 80}]}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  #     ^ policy
  metadata: {name: web, namespace: shop}
  spec:
    podSelector: {matchLabels: {app: web}}
    policyTypes: [${direction}]
    ${direction.toLowerCase()}: [{${direction === 'Ingress' ? 'from' : 'to'}: ${peer}, ports: [{port: 80}]}]
`);

const ofPrometheus = '[{podSelector: {matchLabels: {app.kubernetes.io/name: prometheus}}}]';
const ofBoth =
  '[{podSelector: {matchLabels: {app.kubernetes.io/name: prometheus}}}, {podSelector: {matchLabels: {app: other}}}]';

describe('pods that an operator creates', () => {
  it('are named in statements about a policy whose peer they match', async () => {
    const b = await bench(cluster(ofPrometheus));
    assert.match(
      b.hover('policy'),
      /Pods of Prometheus\/k8s may connect to Deployment\/web\. Pods of Prometheus\/k8s are not evaluated\./,
    );
    assert.match(b.lenses('manifest.yaml'), /pods of Prometheus\/k8s \(not evaluated\) may connect/);
    assert.match(b.hover('web'), /Connections are unknown: pods of Prometheus\/k8s are not evaluated\./);
    assert.doesNotMatch(b.hover('web') + b.hover('policy'), /No known/i);
  });

  it('are named beside other sources, and as targets', async () => {
    const b = await bench(cluster(ofBoth));
    assert.match(
      b.hover('policy'),
      /Deployment\/other may connect to Deployment\/web on TCP 80\. Pods of Prometheus\/k8s are not evaluated\./,
    );
    assert.match(b.lenses('manifest.yaml'), /Deployment\/other may connect/);
    const egress = await bench(cluster(ofPrometheus, 'Egress'));
    assert.match(
      egress.hover('policy'),
      /Egress of Deployment\/web to pods of Prometheus\/k8s\. Pods of Prometheus\/k8s are not evaluated\./,
    );
    assert.match(egress.hover('web'), /Connections are unknown: pods of Prometheus\/k8s are not evaluated\./);
  });

  it('are named beside the pods of a workload that any peer may connect to', async () => {
    for (const direction of ['Ingress', 'Egress']) {
      const b = await bench(cluster('[]', direction));
      assert.match(b.hover('web'), /Connections are unknown: pods of Prometheus\/k8s are not evaluated\./);
      assert.doesNotMatch(b.hover('policy'), /Prometheus/);
    }
  });

  it('are not named in statements about a policy whose peers do not match their known labels', async () => {
    const b = await bench(cluster('[{podSelector: {matchLabels: {app: none}}}]'));
    assert.match(b.hover('policy'), /No known workload may connect to Deployment\/web\./);
    assert.match(b.hover('web'), /No known source may connect \(NetworkPolicy\/web\)\./);
    assert.doesNotMatch(b.hover('policy'), /Prometheus/);
  });

  it('are named by reach', async () => {
    const files = { 'all.yaml': cluster(ofPrometheus) };
    const text = await runInMemory(['reach'], { files });
    assert.equal(text.code, 0);
    assert.match(
      text.err.join('\n'),
      /The pods of shop\/Prometheus\/k8s are not evaluated: connections with them are unknown\./,
    );
    const json = await runInMemory(['reach', '--format', 'json'], { files });
    const { notEvaluated } = JSON.parse(json.out.join('\n')) as { readonly notEvaluated: unknown };
    assert.deepEqual(notEvaluated, [{ kind: 'Prometheus', namespace: 'shop', name: 'k8s' }]);
    const named = await runInMemory(['reach', 'Prometheus/k8s', 'web'], { files });
    assert.match(
      named.err.join('\n'),
      /The pods of shop\/Prometheus\/k8s are not evaluated, because their controller may add labels/,
    );
  });
});

describe('a Server of Linkerd', () => {
  it('concerns connections to its pods, and none from them', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      #     ^ web
      metadata: {name: web, namespace: shop, labels: {app: web}}
      spec: {containers: [{name: web}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: db, namespace: shop, labels: {app: db}}
      spec: {containers: [{name: db}]}
      ---
      apiVersion: policy.linkerd.io/v1beta3
      kind: Server
      metadata: {name: web, namespace: shop}
      spec: {podSelector: {matchLabels: {app: web}}, port: 80}
    `);
    assert.match(b.hover('web'), /\*\*Reachable from\*\* \(2\)/);
    assert.doesNotMatch(b.hover('web'), /Can reach/);
  });
});

describe('a rule that admits every pod of a cluster', () => {
  it('is not described by the workloads in the files alone', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: db, namespace: data, labels: {app: db}}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ policy
      metadata: {name: db, namespace: data}
      spec:
        podSelector: {}
        ingress:
        - from: [{namespaceSelector: {}}, {ipBlock: {cidr: 192.0.2.0/24}}]
          ports: [{port: 5432}]
        - from: [{podSelector: {matchLabels: {app: db}}}]
          ports: [{port: 5432}]
    `);
    assert.match(
      b.hover('policy'),
      /^Ingress of Pod\/db from every pod in the cluster \(1 workload here\) and 192\.0\.2\.0\/24, TCP 5432\.$/m,
    );
    assert.match(b.lenses(), /ingress from any pod and 192\.0\.2\.0\/24/);
  });
});
