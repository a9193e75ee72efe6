/** Tests that a rename includes all references to the label, and nothing else. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameable, renameLines } from '../harness/rename-lines.ts';

describe('a rename of a label value', () => {
  it('includes the selectors that match it, and their other matches', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata:
        name: basket
        labels:
          app: basket
      spec:
        selector:
          app: basket
          #    ^ here
      ==> basket.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: basket
        labels:
          app: basket
      spec:
        selector:
          matchLabels: {app: basket}
        template:
          metadata:
            labels:
              app: basket
              tier: web
      ==> budget.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata:
        name: some
      spec:
        selector:
          matchExpressions:
            - key: app
              operator: In
              values: [orders, "basket"]
      ==> orders.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: orders, labels: {app: orders}}
      ==> settings.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: basket, labels: {app: basket}}
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'service.yaml:6 app: cart (immutable)',
      'service.yaml:9 app: cart (immutable)',
      'basket.yaml:6 app: cart (immutable)',
      'basket.yaml:9 matchLabels: {app: cart} (immutable)',
      'basket.yaml:13 app: cart (immutable)',
      'budget.yaml:10 values: [orders, "cart"] (immutable)',
    ]);
  });
});

const shop = `
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: basket}
  spec: {selector: {app: basket}}
  #                      ^ value
  #                 ^ key
  ==> other.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: orders}
  spec: {selector: {app: orders, tier: back}}
  ==> pods.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: basket
    labels:
      app: basket
  ---
  apiVersion: v1
  kind: Pod
  metadata:
    name: orders
    labels:
      app: orders
      tier: back
`;

describe('a rename', () => {
  it('of a key includes all values in selectors', async () => {
    const b = await bench(shop);
    assert.deepEqual(renameLines(b, 'key', 'example.com/app'), [
      'service.yaml:4 spec: {selector: {example.com/app: basket}}',
      'other.yaml:4 spec: {selector: {example.com/app: orders, tier: back}}',
      'pods.yaml:6 example.com/app: basket',
      'pods.yaml:13 example.com/app: orders',
    ]);
  });

  it('of a key includes all values in selectors', async () => {
    const b = await bench(shop);
    assert.deepEqual(renameLines(b, 'value', 'orders'), ['refused: Service/basket would then also select Pod/orders']);
  });

  it('is rejected with a reason if a map contains the new key already', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: basket
        labels:
          app: basket
          # ^ here
          name: basket
    `);
    assert.deepEqual(renameLines(b, 'here', 'name'), [
      "refused: `metadata.labels` of Pod/basket already has the key 'name'",
    ]);
  });

  it('states why Kubernetes would not accept the new name', async () => {
    const b = await bench(shop);
    assert.deepEqual(renameLines(b, 'value', 'team blue'), [
      "refused: label value must not contain ' ': use only letters, digits, '-', '_' and '.'",
    ]);
    assert.deepEqual(renameLines(b, 'key', 'Example.com/app'), [
      "refused: prefix of the label key must be in lower case: write 'example.com'",
    ]);
    assert.deepEqual(renameLines(b, 'value', 'basket'), []);
  });

  it('includes selectors that exclude a label by its name', async () => {
    const b = await bench(`
      ==> policy.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: others}
      spec:
        podSelector:
          matchExpressions:
            - {key: app, operator: NotIn, values: [basket, old]}
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata:
        name: basket
        labels: {app: basket}
        #             ^ here
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'policy.yaml:7 - {key: app, operator: NotIn, values: [cart, old]}',
      'pod.yaml:5 labels: {app: cart}',
    ]);
  });

  it('needs a review if a match is uncertain, and next to a template', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket, namespace: shop}
      spec: {selector: {app: basket}}
      #                      ^ here
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: basket, labels: {app: basket}}
      ==> late.yaml <==
      apiVersion: v1
      kind: Pod
      metadata:
        name: late
        namespace: shop
        labels:
          {{ include "labels" . }}
          app: basket
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'service.yaml:4 spec: {selector: {app: cart}}',
      'pod.yaml:3 metadata: {name: basket, labels: {app: cart}} (uncertain)',
      'late.yaml:8 app: cart (template)',
    ]);
  });

  it('stays in the connected scopes: base and overlays, and no other application', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [pod.yaml]
      ==> base/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: basket, labels: {app: basket}}
      #                                      ^ here
      ==> one/kustomization.yaml <==
      resources: [../base, service.yaml]
      ==> one/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec: {selector: {app: basket}}
      ==> two/kustomization.yaml <==
      resources: [../base, service.yaml]
      ==> two/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket-2}
      spec: {selector: {app: basket}}
      ==> apart/kustomization.yaml <==
      resources: [both.yaml]
      ==> apart/both.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket-3}
      spec: {selector: {app: basket}}
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'base/pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
      'one/service.yaml:4 spec: {selector: {app: cart}}',
      'two/service.yaml:4 spec: {selector: {app: cart}}',
    ]);
  });

  it('never edits generated files, and states if a match would break', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec: {selector: {app: basket}}
      #                      ^ here
      ==> rendered.yaml <==
      # Code generated by make. DO NOT EDIT.
      apiVersion: v1
      kind: Pod
      metadata: {name: basket, labels: {app: basket}}
      #                                      ^ there
    `);
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'refused: Service/basket would no longer select Pod/basket, whose file is generated',
    ]);
    const refused = 'refused: this file is generated: rename the label in its source';
    assert.equal(renameable(b, 'there'), refused);
    assert.deepEqual(renameLines(b, 'there', 'cart'), [refused]);
  });

  it('distinguishes nodes, their affinity and topology keys from the labels of pods', async () => {
    const b = await bench(`
      ==> node.yaml <==
      apiVersion: v1
      kind: Node
      metadata:
        name: one
        labels: {disk: fast}
        #        ^ key
        #              ^ value
      ==> pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata:
        name: basket
        labels: {disk: fast}
      spec:
        nodeSelector: {disk: fast}
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - matchExpressions:
                    - {key: disk, operator: In, values: [fast]}
        topologySpreadConstraints:
          - topologyKey: disk
            labelSelector: {matchLabels: {other: x}}
    `);
    assert.deepEqual(renameLines(b, 'value', 'ssd'), [
      'node.yaml:5 labels: {disk: ssd} (immutable)',
      'pod.yaml:7 nodeSelector: {disk: ssd} (immutable)',
      'pod.yaml:13 - {key: disk, operator: In, values: [ssd]} (uncertain)',
    ]);
    assert.deepEqual(renameLines(b, 'key', 'storage'), [
      'node.yaml:5 labels: {storage: fast} (immutable)',
      'pod.yaml:7 nodeSelector: {storage: fast} (immutable)',
      'pod.yaml:13 - {key: storage, operator: In, values: [fast]} (uncertain)',
      'pod.yaml:15 - topologyKey: storage (immutable)',
    ]);
  });

  it('works in a folder of many files', async () => {
    const others = Array.from({ length: 120 }, (_, number) =>
      [
        `==> other-${number}.yaml <==`,
        'apiVersion: v1',
        'kind: Pod',
        `metadata: {name: other-${number}, labels: {app: other}}`,
      ].join('\n'),
    );
    const b = await bench(
      [
        ...['==> service.yaml <==', 'apiVersion: v1', 'kind: Service', 'metadata: {name: basket}'],
        ...['spec: {selector: {app: basket}}', '#                      ^ here', '#                 ^ key'],
        ...['==> budget.yaml <==', 'apiVersion: policy/v1', 'kind: PodDisruptionBudget', 'metadata: {name: basket}'],
        'spec: {selector: {matchExpressions: [{key: app, operator: NotIn, values: [basket]}]}}',
        ...['==> pod.yaml <==', 'apiVersion: v1', 'kind: Pod', 'metadata: {name: basket, labels: {app: basket}}'],
        ...others,
      ].join('\n'),
    );
    assert.deepEqual(renameLines(b, 'here', 'cart'), [
      'service.yaml:4 spec: {selector: {app: cart}}',
      'budget.yaml:4 spec: {selector: {matchExpressions: [{key: app, operator: NotIn, values: [cart]}]}}',
      'pod.yaml:3 metadata: {name: basket, labels: {app: cart}}',
    ]);
    assert.deepEqual(renameLines(b, 'here', 'other'), [
      'refused: Service/basket would then also select Pod/other-0, and 239 more would change',
    ]);
    assert.equal(renameLines(b, 'key', 'name').length, 123);
  });
});

describe('copies of renamed objects', () => {
  const web = `apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}`;
  const fixture = `
      ==> manifests/web.yaml <==
      ${web}
      ==> manifests/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}}
      #                      ^ here
      ==> complete-demo.yaml <==
      ${web}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}}
    `;

  it('are renamed after a review', async () => {
    assert.deepEqual(renameLines(await bench(fixture), 'here', 'cart'), [
      'manifests/web.yaml:5 selector: {matchLabels: {app: cart}} (immutable)',
      'manifests/web.yaml:6 template: {metadata: {labels: {app: cart}}} (immutable)',
      'manifests/service.yaml:4 spec: {selector: {app: cart}} (immutable)',
      'complete-demo.yaml:5 selector: {matchLabels: {app: cart}} (copy)',
      'complete-demo.yaml:6 template: {metadata: {labels: {app: cart}}} (copy)',
      'complete-demo.yaml:11 spec: {selector: {app: cart}} (copy)',
    ]);
  });

  it('are listed as references, after all others', async () => {
    assert.equal(
      (await bench(fixture)).references('here'),
      lines(`
        manifests/service.yaml:4 app: web
        manifests/web.yaml:5 app: web
        manifests/web.yaml:6 app: web
        complete-demo.yaml:5 app: web
        complete-demo.yaml:6 app: web
        complete-demo.yaml:11 app: web
      `),
    );
  });
});
