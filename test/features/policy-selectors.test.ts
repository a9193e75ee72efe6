/** Tests the features of the editor in selectors of Cilium and Calico. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameLines } from '../harness/rename-lines.ts';

const workloads = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: website
    namespace: shop
  spec:
    selector:
      matchLabels:
        app: website
    template:
      metadata:
        labels:
          app: website
          tier: front
`;

const calico = (selector: string) => `${workloads}
  ==> policy.yaml <==
  apiVersion: projectcalico.org/v3
  kind: NetworkPolicy
  metadata:
    name: website
    namespace: shop
  spec:
    selector: ${selector}
`;

const cilium = (label: string) => `${workloads}
  ==> policy.yaml <==
  apiVersion: cilium.io/v2
  kind: CiliumNetworkPolicy
  metadata:
    name: website
    namespace: shop
  spec:
    endpointSelector:
      matchLabels:
        ${label}
`;

describe('selectors of Calico in an editor', () => {
  it('show their matches, and labels show them', async () => {
    const b = await bench(calico("app == 'website' && has(tier)\n    #         ^ here"));
    assert.match(b.hover('here'), /\*\*Selects\*\* .* where `app` is 'website' and `tier` has any value\./);
    assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/website\]/);
    assert.equal(b.lenses('policy.yaml'), lines('7 spec.selector: selects Deployment/website'));
    assert.equal(b.lenses('web.yaml'), lines('12 spec.template.metadata.labels: selected by NetworkPolicy/website'));
  });

  it('show the whole condition if it is more than requirements on labels', async () => {
    const b = await bench(calico("app == 'website' && (tier == 'back' || pcns.team == 'a')\n    #         ^ here"));
    const hover = b.hover('here');
    assert.match(hover, /for which this holds: `app == 'website' && \(tier == 'back' \|\| pcns\.team == 'a'\)`/);
    assert.match(hover, /\*\*May match\*\* \(1\)/);
    assert.doesNotMatch(hover, /kubectl/);
  });

  it('complete keys, operators and values', async () => {
    for (const [typed, at, expected] of [
      ['t', 15, ['selector: app', 'selector: tier']],
      ["app == ''", 22, ["selector: app == 'website'"]],
      [
        'app ',
        18,
        ["selector: app == ''", "selector: app != ''", `selector: "app in {''}"`, `selector: "app not in {''}"`],
      ],
      ["app == 'website' && ", 34, ["selector: app == 'website' && app", "selector: app == 'website' && tier"]],
      ['has(', 18, ['selector: has(app', 'selector: has(tier']],
    ] as const) {
      const b = await bench(calico(`${typed}\n    #${' '.repeat(at - 5)}^ here`));
      assert.deepEqual(b.completion('here'), expected, typed);
    }
  });

  it('are renamed in the language', async () => {
    const b = await bench(calico("app == 'website' && has(tier)\n    #                   ^ here"));
    assert.deepEqual(renameLines(b, 'here', 'shop'), [
      'web.yaml:9 app: shop (immutable)',
      'web.yaml:13 app: shop (immutable)',
      "policy.yaml:7 selector: app == 'shop' && has(tier) (immutable)",
    ]);
  });
});

describe('selectors of Cilium in an editor', () => {
  it('show their matches, and are renamed with their sources', async () => {
    const b = await bench(cilium('k8s:app: website\n        #   ^ here'));
    assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/website\]/);
    assert.equal(b.lenses('policy.yaml'), lines('7 spec.endpointSelector: selects Deployment/website'));
    assert.deepEqual(renameLines(b, 'here', 'name'), [
      'web.yaml:9 name: website (immutable)',
      'web.yaml:13 name: website (immutable)',
      'policy.yaml:9 k8s:name: website (immutable)',
    ]);
  });

  it('complete values', async () => {
    const b = await bench(cilium('k8s:app: we\n        #          ^ here'));
    assert.deepEqual(b.completion('here'), ['k8s:app: website']);
  });
});
