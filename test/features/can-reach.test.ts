/** Tests the answer to the question whether one workload can reach another. */

import assert from 'node:assert/strict';
import { canReach } from '../../server/src/features/reach/can-reach.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> base/kustomization.yaml <==
  resources: [shop.yaml]
  ==> base/shop.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web, namespace: shop, labels: {app: web}}
  #                ^ here
  spec: {containers: [{name: web, image: web}]}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: db, namespace: shop, labels: {app: db}}
  spec: {containers: [{name: db, image: db, ports: [{containerPort: 5432}]}]}
  ==> overlays/dev/kustomization.yaml <==
  resources: [../../base]
  ==> overlays/prod/kustomization.yaml <==
  resources: [../../base, deny.yaml]
  ==> overlays/prod/deny.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: deny, namespace: shop}
  spec: {podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress]}
`;

describe('the question whether a workload can reach another', () => {
  async function asked(overlay: string, ends: { readonly from?: string; readonly to?: string }) {
    const b = await bench(shop);
    b.session.choose({ perspective: { selected: [b.uriOf(overlay)] } });
    const { uri, span, file } = b.place('here');
    b.session.workspace.edit(uri, file.text);
    return b.session.at(uri, span.start, (view, offset) => canReach(view, offset, ends));
  }

  it('lists the workloads of the overlay, with the one at the cursor', async () => {
    assert.deepEqual(await asked('overlays/prod', {}), {
      scope: 'prod',
      workloads: ['shop/Pod/db', 'shop/Pod/web'],
      here: 'shop/Pod/web',
    });
  });

  it('is answered for the overlay, with the policy that decides', async () => {
    const ends = { from: 'shop/Pod/web', to: 'shop/Pod/db' };
    const denied = (await asked('overlays/prod', ends))?.page;
    assert.equal(denied?.title, 'From web to db');
    assert.match(
      denied?.markdown ?? '',
      /Allowed in prod: nothing\.[\s\S]*TCP 5432: denied[\s\S]*isolated by .*deny.*deny\.yaml:2/,
    );
    const allowed = (await asked('overlays/dev', ends))?.page;
    assert.match(allowed?.markdown ?? '', /Allowed in dev: .*\.[\s\S]*TCP 5432: allowed/);
  });

  it('is answered for all sources of a workload', async () => {
    const denied = (await asked('overlays/prod', { to: 'shop/Pod/db' }))?.page;
    assert.equal(denied?.title, 'Sources of db');
    assert.equal(
      denied.markdown.trimEnd(),
      lines(`
        **Who can reach shop/Pod/db in prod**

        No known source may connect (NetworkPolicy/deny).

        **Cannot connect** (1)
        - shop/Pod/web

        **Policies**
        - [NetworkPolicy/deny](</overlays/prod/deny.yaml#L3>) in \`shop\` — ../overlays/prod/deny.yaml:3
      `),
    );
    const open = (await asked('overlays/dev', { to: 'shop/Pod/db' }))?.page;
    assert.match(open?.markdown ?? '', /^No policy in the indexed files restricts the ingress of this workload\.$/m);
    assert.match(open?.markdown ?? '', /^\*\*Reachable from\*\* \(2\)\n\n\| From \| Ports \| Why \|/m);
    assert.match(
      open?.markdown ?? '',
      /^\| \[Pod\/web\]\(.*\) in `shop`&emsp; \| all ports&emsp; \| no policy restricts it \|$/m,
    );
  });

  it('has no answer for an unknown workload, or for one and itself', async () => {
    assert.equal((await asked('overlays/prod', { from: 'shop/Pod/web', to: 'shop/Pod/x' }))?.page, undefined);
    assert.equal((await asked('overlays/prod', { from: 'shop/Pod/web', to: 'shop/Pod/web' }))?.page, undefined);
  });
});

describe('the hover at the kind of a policy', () => {
  const policy = '{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress, Egress], egress: [{}]}';

  it('states what holds for the pods that it selects, although none is known', async () => {
    const b = await bench(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ kind
      metadata: {name: web, namespace: shop}
      spec: ${policy}
    `);
    const text = b.hover('kind') ?? '';
    assert.match(text, /^Denies all ingress of the pods that it selects, except what other policies allow\.$/m);
    assert.doesNotMatch(text, /egress/i);
  });

  it('names another file that defines the policy', async () => {
    const b = await bench(`
      ==> a.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ kind
      metadata: {name: web, namespace: shop}
      spec: ${policy}
      ==> b.yaml <==
      {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web, namespace: shop}, spec: ${policy}}
    `);
    assert.match(b.hover('kind') ?? '', /not evaluated, because another file defines it, too: \[NetworkPolicy\/web\]/);
  });
});
