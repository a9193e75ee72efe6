/** Tests that comparisons and the map contain the connections that policies of network plugins and meshes decide. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { home, runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

const workload = (name: string) =>
  lines(`
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: ${name}, namespace: shop}
    spec:
      selector: {matchLabels: {app: ${name}}}
      template:
        metadata: {labels: {app: ${name}}}
        spec: {containers: [{name: main, image: example, ports: [{containerPort: 80}]}]}
  `);
const shop = { 'web.yaml': workload('web'), 'db.yaml': workload('db') };

const cilium = (peers: string) =>
  lines(`
    apiVersion: cilium.io/v2
    kind: CiliumNetworkPolicy
    metadata: {name: db, namespace: shop}
    spec:
      endpointSelector: {matchLabels: {app: db}}
      ingress: [{${peers}}]
  `);
const calico = (selector: string) =>
  lines(`
    apiVersion: projectcalico.org/v3
    kind: NetworkPolicy
    metadata: {name: db, namespace: shop}
    spec:
      selector: app == 'db'
      ingress: [{action: Allow, source: {selector: "${selector}"}}]
  `);
const istio = (account: string) =>
  lines(`
    apiVersion: v1
    kind: Namespace
    metadata: {name: shop, labels: {istio-injection: enabled}}
    ---
    apiVersion: security.istio.io/v1
    kind: AuthorizationPolicy
    metadata: {name: db, namespace: shop}
    spec: {selector: {matchLabels: {app: db}}, rules: [{from: [{source: {serviceAccounts: [${account}]}}]}]}
  `);

function review(old: Files, fresh: Files) {
  return runInMemory(['review', 'main'], { files: fresh, repositories: [home], commits: { main: old } });
}

describe('the changes of connections', () => {
  const systems: readonly (readonly [system: string, none: string, web: string])[] = [
    [
      'Cilium',
      cilium('fromEndpoints: [{matchLabels: {app: none}}]'),
      cilium('fromEndpoints: [{matchLabels: {app: web}}]'),
    ],
    ['Calico', calico("app == 'none'"), calico("app == 'web'")],
    ['Istio', istio('none'), istio('default')],
  ];
  for (const [system, none, web] of systems)
    it(`are opened and closed by policies of ${system}`, async () => {
      const [closed, open] = [none, web].map((policy) => ({ ...shop, 'policy.yaml': policy }));
      assert.ok(closed && open);
      const opened = await review(closed, open);
      assert.match(opened.out.join('\n'), /^Opened connections\n.*web.*db/m, opened.out.join('\n'));
      const ended = await review(open, closed);
      assert.match(ended.out.join('\n'), /^Closed connections\n.*web.*db/m, ended.out.join('\n'));
      const { out } = await runInMemory(['diff', 'main', '.'], {
        files: open,
        repositories: [home],
        commits: { main: closed },
      });
      assert.match(out.join('\n'), /^\+ shop\/Deployment\/db, .*: now open to shop\/Deployment\/web\.$/m);
    });

  it('are not called complete if a policy leaves connections unknown', async () => {
    const get = (method: string) =>
      cilium(
        `fromEndpoints: [{}], toPorts: [{ports: [{port: "80", protocol: TCP}], rules: {http: [{method: ${method}}]}}]`,
      );
    const [before, after] = ['GET', 'PUT'].map((method) => ({ ...shop, 'policy.yaml': get(method) }));
    assert.ok(before && after);
    const { out } = await review(before, after);
    assert.match(out.join('\n'), /Connections that policies of Cilium leave unknown are not compared\./);
  });
});
