/** Selectors over the same objects, and selectors of controllers that overlap (requirements A16, C14, D9, D10). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const agents = `
  ==> shop/agent.yaml <==
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: shop}
  #          ^ agent
  spec:
    selector: {matchLabels: {app: agent}}
    #                             ^ here
    template: {metadata: {labels: {app: agent}}}
  ---
  apiVersion: apps/v1
  kind: ReplicaSet
  metadata: {name: extra, namespace: shop}
  spec:
    selector: {matchLabels: {app: agent, extra: "1"}}
    #                             ^ extra
    template: {metadata: {labels: {app: agent, extra: "1"}}}
  ---
  apiVersion: apps/v1
  kind: ReplicaSet
  metadata: {name: elsewhere, namespace: bank}
  spec:
    selector: {matchLabels: {app: agent}}
    template: {metadata: {labels: {app: agent}}}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: bare, namespace: shop, labels: {app: agent}}
  spec: {containers: [{name: a}]}
  ---
  apiVersion: v1
  kind: Pod
  metadata:
    name: owned
    namespace: shop
    labels: {app: agent}
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: x, uid: 1, controller: true}]
  spec: {containers: [{name: a}]}
`;

const sets = `
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: one}
  #          ^ one
  spec:
    selector: {matchExpressions: [{key: role, operator: In, values: [a, b]}]}
    # ^ here
    template: {metadata: {labels: {role: a}}}
  ---
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: two}
  spec:
    selector: {matchExpressions: [{key: role, operator: In, values: [b, c]}]}
    template: {metadata: {labels: {role: c}}}
  ---
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: three}
  spec:
    selector: {matchLabels: {tier: x}}
    template: {metadata: {labels: {tier: x}}}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: one-0, labels: {role: b}}
  spec: {containers: [{name: a}]}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: one-x, labels: {role: b}}
  spec: {containers: [{name: a}]}
`;

/** The groups of a hover with these titles. */
function groupsOf(text: string, ...titles: readonly string[]): string {
  const groups = text.split('\n\n').filter((each) => titles.some((title) => each.startsWith(`**${title}`)));
  return groups.join('\n');
}

describe('overlapping selectors of controllers', () => {
  it('are in the hover, with labels that both match, and with adopted pods', async () => {
    const b = await bench(agents);
    assert.equal(
      groupsOf(b.hover('here'), 'Overlaps', 'Adopts'),
      lines(`
        **Overlaps with** (1)
        - [ReplicaSet/extra](<shop/agent.yaml#L12,3>) in \`shop\` — agent.yaml:12: both match pods with \`app=agent,extra=1\`
        **Adopts** (1)
        - [Pod/bare](<shop/agent.yaml#L24,18>) in \`shop\` — agent.yaml:24: no controller owns it
      `),
    );
    assert.match(
      groupsOf(b.hover('extra'), 'Overlaps', 'Adopts'),
      /^\*\*Overlaps with\*\* \(1\)\n- \[DaemonSet\/agent\]/,
    );
  });

  it('need a common key; a StatefulSet adopts only its members', async () => {
    const b = await bench(sets);
    assert.equal(
      groupsOf(b.hover('here'), 'Overlaps', 'Adopts'),
      lines(`
        **Overlaps with** (1)
        - [StatefulSet/two](<manifest.yaml#L12,3>) — manifest.yaml:12: both match pods with \`role=b\`
        **Adopts** (1)
        - [Pod/one-0](<manifest.yaml#L24,18>) — manifest.yaml:24: no controller owns it
      `),
    );
  });

  it('are found if no pod here matches both', async () => {
    const b = await bench(sets.replaceAll('role: b', 'role: d'));
    assert.match(
      groupsOf(b.hover('here'), 'Overlaps', 'Adopts'),
      /^\*\*Overlaps with\*\* \(1\)\n- .*: both would match pods with `role=b`, but this workspace contains no such pods$/,
    );
  });

  it('are on the page of the object', async () => {
    const b = await bench(sets);
    assert.match(
      b.explain('one'),
      /\nOverlaps with\n\n- StatefulSet\/two \(\[manifest.yaml:12\]\(<\/manifest.yaml#L12>\)\): both match pods with `role=b`\n\nAdopts\n\n- Pod\/one-0 \(\[manifest.yaml:24\]\(<\/manifest.yaml#L24>\)\): no controller owns it$/,
    );
  });

  it('are found as a kustomization applies them', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [a.yaml, b.yaml]
      labels: [{pairs: {team: x}, includeSelectors: true}]
      ==> a.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: a}
      spec:
        selector: {matchLabels: {app: a}}
        # ^ here
        template: {metadata: {labels: {app: a}}}
      ==> b.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: b}
      spec:
        selector: {matchLabels: {role: b}}
        template: {metadata: {labels: {role: b}}}
    `);
    assert.match(
      b.hover('here'),
      /\*\*Overlaps with\*\* \(1\)\n- .*: both would match pods with `app=a,role=b,team=x`/,
    );
  });
});

describe('other selectors for the same objects', () => {
  const monitors = `
    apiVersion: v1
    kind: Service
    metadata: {name: web, namespace: shop, labels: {app: web}}
    #          ^ web
    spec: {selector: {app: web}}
    #                      ^ service
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: web, namespace: shop}
    spec: {selector: {matchLabels: {app: web, tier: front}}}
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: peers, namespace: shop}
    spec: {podSelector: {matchLabels: {app: other}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: front, namespace: shop}
    spec:
      selector: {matchLabels: {app: web, tier: front}}
      template: {metadata: {labels: {app: web, tier: front}}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: back, namespace: shop}
    spec:
      selector: {matchLabels: {app: web, tier: back}}
      template: {metadata: {labels: {app: web, tier: back}}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: one, namespace: shop}
    spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: metrics}]}
    #                               ^ monitor
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: two, namespace: shop}
    spec: {selector: {matchExpressions: [{key: app, operator: Exists}]}, endpoints: [{port: metrics}]}
  `;

  it('are in the hover, with how many objects they share', async () => {
    const b = await bench(monitors);
    assert.equal(
      groupsOf(b.hover('service'), 'Other'),
      lines(`
        **Other selectors for the same Pods** (1)
        - [PodDisruptionBudget/web](<manifest.yaml#L9,8>) in \`shop\` — manifest.yaml:9 \`spec.selector\`: 1 of 2
      `),
    );
  });

  it('name the monitors that count the same targets', async () => {
    const b = await bench(monitors);
    assert.equal(
      groupsOf(b.hover('monitor'), 'Other'),
      lines(`
        **Other selectors for the same Services** (1)
        - [ServiceMonitor/two](<manifest.yaml#L38,8>) in \`shop\` — manifest.yaml:38 \`spec.selector\`
      `),
    );
  });

  it('name the pods that one monitor finds through two Services', async () => {
    const twice = monitors.replace(
      'labels: {app: web}}\n',
      `labels: {app: web}}
    spec: {selector: {app: web}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: headless, namespace: shop, labels: {app: web}}\n`,
    );
    const b = await bench(twice.replace(/ +#.*\^ (?:web|service)\n/g, ''));
    assert.match(
      groupsOf(b.hover('monitor'), 'Selected'),
      /^\*\*Selected more than once\*\* \(2\)\n- \[Deployment\/front\].*: through `Service\/web` and `Service\/headless`\n/,
    );
  });

  it('are in the preview, and on the page of the object', async () => {
    const b = await bench(monitors);
    assert.match(b.preview('service'), /\nselectedBy:\n.*PodDisruptionBudget shop\/web via spec.selector/);
    assert.match(
      b.explain('web'),
      /\nOther selectors for the same Pods\n\n- PodDisruptionBudget\/web \(\[manifest.yaml:9\]\(<\/manifest.yaml#L9>\)\) by `spec.selector`: 1 of 2$/,
    );
  });
});
