/** Tests that a rename includes the selectors of other GitOps objects in the cluster. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameLines } from '../harness/rename-lines.ts';

const app = (name: string, cluster = 'https://kubernetes.default.svc', namespace = name) => `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec: {source: {repoURL: https://git.example.com/all.git, path: ${name}}, destination: {server: '${cluster}', namespace: ${namespace}}}`;

/** Returns the edits that rename the label of a Service, which several Applications may select. */
async function renamed(cluster?: string): Promise<readonly string[] | string> {
  const b = await bench(`
    ==> argocd/apps.yaml <==${app('argocd')}${app('shop')}${app('policies', cluster, 'shop')}${app('monitoring', cluster)}
    ==> shop/service.yaml <==
    apiVersion: v1
    kind: Service
    metadata:
      name: web
      labels:
        tier: gold
        #     ^ here
    spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
    ==> policies/budget.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, labels: {tier: gold}}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web, tier: gold}}, spec: {containers: []}}
    ==> monitoring/monitor.yaml <==
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: gold}
    spec: {namespaceSelector: {matchNames: [shop]}, selector: {matchLabels: {tier: gold}}, endpoints: [{port: http}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: own}
    spec: {selector: {matchLabels: {tier: gold}}, endpoints: [{port: http}]}
  `);
  return renameLines(b, 'here', 'silver');
}

describe('a rename of a label that a GitOps object applies', () => {
  it('includes the selectors that other GitOps objects apply to the cluster', async () => {
    assert.deepEqual(await renamed(), [
      'shop/service.yaml:6 tier: silver',
      'monitoring/monitor.yaml:4 spec: {namespaceSelector: {matchNames: [shop]}, selector: {matchLabels: {tier: silver}}, endpoints: [{port: http}]}',
    ]);
  });

  it('leaves out those that another cluster gets', async () => {
    assert.deepEqual(await renamed('https://other.example.com'), ['shop/service.yaml:6 tier: silver']);
  });
});
