/** Tests that each refactoring does exactly what its title states. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { labelLines, offered, refactored } from '../harness/refactor-lines.ts';

const workload = `
  apiVersion: apps/v1
  kind: Deployment
  #      ^ here
  metadata:
    name: basket
    namespace: shop
    labels:
      app.kubernetes.io/name: basket
  spec:
    selector:
      matchLabels:
        app: basket
    template:
      metadata:
        labels:
          app: basket
          version: "1"
      spec:
        containers:
          - name: basket
            image: example.com/basket:1
            ports:
              - name: http
                containerPort: 8080
              - containerPort: 9090
                protocol: UDP
`;

const service = `
---
apiVersion: v1
kind: Service
metadata:
  name: basket
  namespace: shop
spec:
  selector:
    app: basket
  ports:
    - name: http
      port: 8080
      targetPort: http
    - name: port-2
      port: 9090
      protocol: UDP
`;

const disruptionBudget = `
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
  namespace: shop
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: basket
`;

const networkPolicy = `
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: basket
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app: basket
  policyTypes:
    - Ingress
  ingress:
    - from:
        - podSelector: {}
      ports:
        - port: 8080
        - port: 9090
          protocol: UDP
`;

describe('a refactoring of a workload', () => {
  it('creates an object that selects it, as a new document of the same file', async () => {
    const b = await bench(workload);
    assert.deepEqual(offered(b, 'here'), [
      'Add the recommended labels',
      'Create a Service for Deployment/basket',
      'Create a PodDisruptionBudget for Deployment/basket',
      'Create a NetworkPolicy for Deployment/basket',
    ]);
    const { text } = b.file();
    const added = (title: string) => {
      const after = refactored(b, 'here', title);
      assert.ok(after.startsWith(text.trimEnd()));
      return after.slice(text.trimEnd().length);
    };
    assert.equal(added('Create a Service for Deployment/basket'), service);
    assert.equal(added('Create a PodDisruptionBudget for Deployment/basket'), disruptionBudget);
    assert.equal(added('Create a NetworkPolicy for Deployment/basket'), networkPolicy);
  });

  it('preserves the line ends of the file', async () => {
    const b = await bench(workload, { lineEnd: '\r\n' });
    const after = refactored(b, 'here', 'Create a Service for Deployment/basket');
    assert.doesNotMatch(after, /(?<!\r)\n/);
    assert.ok(after.endsWith('      protocol: UDP\r\n'));
  });

  it('creates nothing that exists, and nothing for objects without pods or in JSON', async () => {
    const b = await bench(`
      ==> basket.yaml <==
      apiVersion: v1
      kind: Pod
      #     ^ here
      metadata: {name: basket, labels: {app: basket, app.kubernetes.io/name: x, app.kubernetes.io/instance: x, app.kubernetes.io/managed-by: x}}
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ service
      metadata: {name: basket, labels: {app.kubernetes.io/name: x, app.kubernetes.io/instance: x, app.kubernetes.io/managed-by: x}}
      spec: {selector: {app: basket}}
    `);
    assert.deepEqual(offered(b, 'here'), [
      'Create a PodDisruptionBudget for Pod/basket',
      'Create a NetworkPolicy for Pod/basket',
    ]);
    assert.deepEqual(offered(b, 'service'), []);
  });

  it('adds the recommended labels', async () => {
    const b = await bench(workload);
    assert.match(
      refactored(b, 'here', 'Add the recommended labels'),
      /app\.kubernetes\.io\/name: basket\n {4}app\.kubernetes\.io\/instance: basket\n {4}app\.kubernetes\.io\/managed-by: kubectl\nspec:/,
    );
  });
});

const near = `
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: basket
  spec:
    selector:
      app: baskte
      #    ^ here
      tier: back
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: basket, labels: {app: basket, tier: back}}
`;

describe('a refactoring of a selector', () => {
  it('makes it match a near miss, by the smallest change', async () => {
    const b = await bench(near);
    assert.deepEqual(offered(b, 'here'), ['Make the selector match Pod/basket']);
    assert.equal(
      refactored(b, 'here', 'Make the selector match Pod/basket'),
      b.place('here').file.text.replace('baskte', 'basket'),
    );
  });

  it('removes a requirement that the labels cannot meet', async () => {
    const b = await bench(near.replace('tier: back}}', 'zone: a}}').replace('baskte', 'basket').replace(/$/, ''));
    const [title = ''] = offered(b, 'here');
    assert.equal(title, 'Make the selector match Pod/basket');
    assert.equal(refactored(b, 'here', title), b.place('here').file.text.replace('    tier: back\n', ''));
  });
});

describe('labeling the matches of a selector', () => {
  const shop = `
    ==> service.yaml <==
    apiVersion: v1
    kind: Service
    metadata: {name: basket}
    spec: {selector: {app: basket}}
    #                   ^ here
    ==> pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata:
      name: basket
      labels:
        app: basket
        team: red
    ==> deployment.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: basket}
    spec:
      selector: {matchLabels: {app: basket}}
      template: {metadata: {labels: {app: basket}}}
    ==> rendered.yaml <==
    # Code generated by make. DO NOT EDIT.
    apiVersion: v1
    kind: Pod
    metadata: {name: made, labels: {app: basket}}
  `;

  it('adds, changes and removes a label at its position', async () => {
    const b = await bench(shop);
    assert.deepEqual(labelLines(b, 'here', 'team=blue'), [
      'pod.yaml:7 team: blue',
      'deployment.yaml:6 template: {metadata: {labels: {app: basket, team: blue}}}',
    ]);
    assert.deepEqual(labelLines(b, 'here', ' zone=1 '), [
      'pod.yaml +    zone: "1"',
      'deployment.yaml:6 template: {metadata: {labels: {app: basket, zone: "1"}}}',
    ]);
    assert.deepEqual(labelLines(b, 'here', 'team-'), ['pod.yaml -    team: red']);
    assert.deepEqual(labelLines(b, 'here', 'team=red'), [
      'deployment.yaml:6 template: {metadata: {labels: {app: basket, team: red}}}',
    ]);
  });

  it('skips objects that another selector matches by the label, and reports that', async () => {
    const b = await bench(`
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec: {selector: {app: basket}}
      #                   ^ here
      ==> deployment.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: basket}
      spec:
        selector: {matchLabels: {app: basket, tier: front}}
        template: {metadata: {labels: {app: basket, tier: front}}}
      ==> pods.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: red, labels: {app: basket, team: red}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: blue, labels: {app: basket, team: green}}
      ==> budget.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: reds}
      spec: {selector: {matchLabels: {team: red}}}
    `);
    assert.deepEqual(labelLines(b, 'here', 'tier=back'), [
      'pods.yaml:3 metadata: {name: red, labels: {app: basket, team: red, tier: back}}',
      'pods.yaml:7 metadata: {name: blue, labels: {app: basket, team: green, tier: back}}',
      "left: Deployment/basket: its own selector requires 'tier' and is immutable",
    ]);
    assert.deepEqual(labelLines(b, 'here', 'team=green'), [
      'deployment.yaml:6 template: {metadata: {labels: {app: basket, tier: front, team: green}}}',
      'left: Pod/red: PodDisruptionBudget/reds would no longer match it',
    ]);
    assert.deepEqual(labelLines(b, 'here', 'team=red'), [
      'left: Deployment/basket: PodDisruptionBudget/reds would match it, too',
      'left: Pod/blue: PodDisruptionBudget/reds would match it, too',
    ]);
  });

  it('states what it cannot do', async () => {
    const b = await bench(shop);
    assert.deepEqual(labelLines(b, 'here', 'app=cart'), [
      "refused: the selector requires 'app': rename the label instead",
    ]);
    assert.deepEqual(labelLines(b, 'here', 'team'), [
      "refused: write 'key=value' to set a label, or 'key-' to remove it",
    ]);
    assert.match(labelLines(b, 'here', 'team=team blue').join(), /^refused: label value must not contain ' '/);
    assert.match(labelLines(b, 'here', '/x=y').join(), /^refused: prefix/);
  });
});
