/** Tests that a selector in another form is equivalent, and has the author's style. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { offered, refactored } from '../harness/refactor-lines.ts';

const toExpressions = 'Convert to matchExpressions';
const toLabels = 'Convert to matchLabels';

const budget = (selector: string) => `
  apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: basket}
  spec:
    maxUnavailable: 1
    selector:
      ${selector.trim().split('\n').join('\n      ')}
`;

/** The lines of the selector after a refactoring. */
async function rewritten(selector: string, title: string, lineEnd: '\n' | '\r\n' = '\n'): Promise<string> {
  const b = await bench(budget(selector), { lineEnd });
  const text = refactored(b, 'here', title);
  const at = text.indexOf('selector:') + 'selector:'.length + lineEnd.length;
  return text
    .slice(at)
    .trimEnd()
    .split(lineEnd)
    .map((line) => line.slice(4))
    .join('\n');
}

describe('another form of a selector', () => {
  it('is matchExpressions for matchLabels, and back', async () => {
    const labels = 'matchLabels:\n  # ^ here\n  app: basket\n  tier: "1"';
    const expressions = `matchExpressions:
  - key: app
    operator: In
    values: [basket]
  - key: tier
    operator: In
    values: ["1"]`;
    assert.equal(await rewritten(labels, toExpressions), expressions);
    assert.equal(await rewritten(labels, toExpressions, '\r\n'), expressions);
    const back = expressions.replace('  - key: app', '  # ^ here\n  - key: app');
    assert.equal(await rewritten(back, toLabels), 'matchLabels:\n  app: basket\n  tier: "1"');
  });

  it('leaves requirements in matchExpressions that labels cannot express', async () => {
    const mixed = `matchExpressions:
  # ^ here
  - {key: app, operator: In, values: [basket]}
  - {key: tier, operator: NotIn, values: [back, old]}`;
    assert.equal(
      await rewritten(mixed, toLabels),
      `matchLabels:
  app: basket
matchExpressions:
  - key: tier
    operator: NotIn
    values: [back, old]`,
    );
  });

  it('preserves braces and JSON', async () => {
    const b = await bench(`
      ==> flow.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: basket}
      spec: {selector: {matchLabels: {app: basket}}}
      #                  ^ flow
      ==> spaced.yaml <==
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: other}
      spec: { selector: { matchLabels: { app: basket } } }
      #                    ^ spaced
      ==> line.json <==
      {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "spec": {"selector": {"matchLabels": {"app": "basket"}}}}
      ==> lines.json <==
      {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "spec": {
          "selector": {
            "matchLabels": {
              "app": "basket"
      #         ^ lines
            }
          }
        }
      }
    `);
    assert.match(
      refactored(b, 'flow', toExpressions),
      /spec: \{selector: \{matchExpressions: \[\{key: app, operator: In, values: \[basket\]\}\]\}\}\n/,
    );
    assert.match(
      refactored(b, 'spaced', toExpressions),
      /spec: \{ selector: \{ matchExpressions: \[\{ key: app, operator: In, values: \[basket\] \}\] \} \}\n/,
    );
    const { spec } = JSON.parse(refactored(b, 'lines', toExpressions));
    assert.deepEqual(spec.selector, { matchExpressions: [{ key: 'app', operator: 'In', values: ['basket'] }] });
    assert.match(refactored(b, 'lines', toExpressions), /\n {6}"matchExpressions": \[\n {8}\{\n {10}"key": "app",/);
  });

  it('is simpler if requirements are redundant', async () => {
    const twice = `matchLabels:
  app: basket
  # ^ here
matchExpressions:
  - {key: app, operator: Exists}
  - {key: app, operator: In, values: [basket, orders]}`;
    assert.equal(await rewritten(twice, 'Simplify the selector'), 'matchLabels:\n  app: basket');
  });

  it('is not offered if a comment, an anchor or a template would be lost, or nothing would change', async () => {
    for (const selector of [
      'matchLabels:\n  # ^ here\n  app: basket # important\n  tier: back',
      'matchLabels: &labels\n  # ^ here\n  app: basket',
      'matchLabels:\n  # ^ here\n  app: {{ .Values.app }}',
      'matchExpressions:\n  # ^ here\n  - {key: app, operator: Exists}',
    ]) {
      const b = await bench(budget(selector));
      assert.deepEqual(offered(b, 'here'), [], selector);
    }
  });

  it('selects a namespace by the label that every namespace has', async () => {
    const policy = (selector: string) => `
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: basket, namespace: shop}
      spec:
        podSelector: {}
        ingress:
          - from:
              - namespaceSelector: ${selector}
      #                              ^ here
    `;
    const title = 'Select the namespace by kubernetes.io/metadata.name';
    const namespace = (name: string) =>
      `---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {name: orders}}\n`;
    for (const [before, after] of [
      ['{matchLabels: {name: orders}}', '{matchLabels: {kubernetes.io/metadata.name: orders}}'],
      [
        '{matchExpressions: [{key: name, operator: In, values: [orders]}]}',
        '{matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [orders]}]}',
      ],
    ] as const) {
      for (const others of ['', namespace('orders')]) {
        const b = await bench(`${policy(before)}\n${others}`);
        assert.ok(refactored(b, 'here', title).includes(after));
      }
      const b = await bench(`${policy(before)}\n${namespace('old-orders')}`);
      assert.ok(!offered(b, 'here').includes(title), 'the name of the namespace differs');
    }
    for (const other of ['{matchLabels: {team: orders}}', '{matchExpressions: [{key: name, operator: Exists}]}']) {
      assert.ok(!offered(await bench(policy(other)), 'here').includes(title), other);
    }
  });

  it('is not offered for a field without another form', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec: {selector: {app: basket}}
      #                   ^ here
    `);
    assert.deepEqual(offered(b, 'here'), []);
  });
});
