/** Tests what an editor shows about connections that policies of network plugins and meshes decide. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const shop = `
  ==> pods.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  #     ^ web
  metadata: {name: web, namespace: shop}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: web}]}
  ---
  apiVersion: apps/v1
  kind: Deployment
  #     ^ db
  metadata: {name: db, namespace: shop}
  spec:
    selector: {matchLabels: {app: db}}
    template:
      metadata: {labels: {app: db}}
      spec: {containers: [{name: db, ports: [{name: sql, containerPort: 5432}]}]}
`;
const cilium = `
  ==> policy.yaml <==
  apiVersion: cilium.io/v2
  kind: CiliumNetworkPolicy
  metadata: {name: db, namespace: shop}
  spec:
    endpointSelector: {matchLabels: {app: db}}
    ingress:
      - fromEndpoints: [{matchLabels: {app: web}}]
        toPorts: [{ports: [{port: sql, protocol: TCP}]}]
`;
const calico = `
  ==> policy.yaml <==
  apiVersion: projectcalico.org/v3
  kind: NetworkPolicy
  metadata: {name: db, namespace: shop}
  spec:
    selector: app == 'db'
    ingress:
      - {action: Allow, protocol: TCP, source: {selector: app == 'web'}, destination: {ports: [5432]}}
`;

describe('connections that policies of network plugins decide', () => {
  it('are not the only ones if the policy does not deny others by default', async () => {
    const b = await bench(`${shop}${cilium.replace('spec:', 'spec:\n    enableDefaultDeny: {ingress: false}')}`);
    assert.doesNotMatch(b.hover('db'), /only the connections below/);
  });

  for (const [system, policy, name] of [
    ['Cilium', cilium, 'CiliumNetworkPolicy shop/db'],
    ['Calico', calico, 'NetworkPolicy shop/db'],
  ] as const) {
    it(`are in the hover of a workload beside policies of ${system}`, async () => {
      const b = await bench(`${shop}${policy}`);
      const text = b.hover('db');
      assert.match(text, /^Ingress: only the connections below are allowed \(/m);
      assert.match(text, /Reachable from.*1/, text);
      assert.ok(text.includes(`| TCP 5432&emsp; | ingress rule 1 of ${name} |`), text);
    });

    it(`are in the map beside policies of ${system}`, async () => {
      const b = await bench(`${shop}${policy}`);
      const text = b.graph('db', { connections: true });
      assert.ok(text.includes('Deployment/web connects Deployment/db (TCP 5432)'), text);
    });

    it(`are proved with the names of the policies of ${system}`, async () => {
      const b = await bench(`${shop}${policy}
  ==> .selector-lens.yaml <==
  expect:
    - {name: web-db, owner: data, that: web may not reach db on 5432}
`);
      const found = b.findings('.selector-lens.yaml').map(({ message }) => message);
      assert.equal(found.filter((each) => each.includes(`(ingress rule 1 of ${name})`)).length, 1, found.join('\n'));
    });
  }
});
