/** Tests that a rename includes the selectors of other GitOps objects in the cluster. */

import assert from 'node:assert/strict';
import { rename } from '../../server/src/features/rename/rename.ts';
import { bench } from '../harness/bench.ts';
import { renameLines, viewAt } from '../harness/rename-lines.ts';

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
      'shop/service.yaml:6 tier: silver (applications)',
      'monitoring/monitor.yaml:4 spec: {namespaceSelector: {matchNames: [shop]}, selector: {matchLabels: {tier: silver}}, endpoints: [{port: http}]} (applications)',
    ]);
  });

  it('leaves out those that another cluster gets', async () => {
    assert.deepEqual(await renamed('https://other.example.com'), ['shop/service.yaml:6 tier: silver']);
  });

  /** Budgets of another GitOps object, with a kustomization that changes them. */
  const changed = (kustomization: string, ...tiers: readonly string[]) => {
    const budgets = tiers.map(
      (tier, index) => `
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: b${index}}
    spec: {minAvailable: 1, selector: {matchLabels: {tier: ${tier}}}}`,
    );
    return bench(`
    ==> argocd/apps.yaml <==${app('argocd')}${app('shop')}${app('policies', undefined, 'shop')}
    ==> shop/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata:
      name: web
      labels:
        tier: gold
        #     ^ here
    spec: {containers: []}
    ==> policies/budgets.yaml <==${budgets.join('')}
    ==> policies/kustomization.yaml <==
    resources: [budgets.yaml]${kustomization}
  `);
  };

  it('includes patches and labels of other GitOps objects that set selectors', async () => {
    const patch = `
    patches:
    - target: {kind: PodDisruptionBudget, name: b0}
      patch: |
        - op: replace
          path: /spec/selector/matchLabels/tier
          value: gold
        #        ^^^^ patched`;
    assert.deepEqual(renameLines(await changed(patch, 'other', 'gold', 'third'), 'here', 'silver'), [
      'shop/pod.yaml:6 tier: silver (applications)',
      'policies/budgets.yaml:10 spec: {minAvailable: 1, selector: {matchLabels: {tier: silver}}} (applications)',
      'policies/kustomization.yaml:7 value: silver (applications)',
    ]);
    const b = await changed(patch, 'other');
    assert.deepEqual(renameLines(b, 'patched', 'silver'), [
      'shop/pod.yaml:6 tier: silver (applications)',
      'policies/kustomization.yaml:7 value: silver (applications)',
    ]);
  });

  it('leaves out selectors that other GitOps objects set to other values, without a refusal', async () => {
    const patch = `
    patches:
    - target: {kind: PodDisruptionBudget}
      patch: '[{op: replace, path: /spec/selector/matchLabels/tier, value: other}]'`;
    assert.deepEqual(renameLines(await changed(patch, 'gold'), 'here', 'silver'), ['shop/pod.yaml:6 tier: silver']);
  });

  it('is refused if a patch of another GitOps object sets the new value in a selector', async () => {
    const patch = `
    patches:
    - target: {kind: PodDisruptionBudget}
      patch: '[{op: replace, path: /spec/selector/matchLabels/tier, value: silver}]'`;
    assert.match(
      String(renameLines(await changed(patch, 'third'), 'here', 'silver')),
      /b0 would then also select Pod\/web/,
    );
  });

  it('asks for a review of labels in other Applications that a selector of the whole cluster matches', async () => {
    const pod = (name: string, mark = '') => `
    apiVersion: v1
    kind: Pod
    metadata:
      name: ${name}
      labels:
        tier: gold${mark}
    spec: {containers: []}`;
    const b = await bench(`
    ==> argocd/apps.yaml <==${app('argocd')}${app('shop')}${app('billing')}${app('policies')}
    ==> shop/pod.yaml <==${pod('web', '\n        #     ^^^^ here')}
    ==> billing/pod.yaml <==${pod('db')}
    ==> policies/policy.yaml <==
    apiVersion: policy.networking.k8s.io/v1alpha1
    kind: AdminNetworkPolicy
    metadata: {name: gold}
    spec: {priority: 1, subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {tier: gold}}}}}
  `);
    assert.deepEqual(renameLines(b, 'here', 'silver'), [
      'shop/pod.yaml:6 tier: silver (applications)',
      'billing/pod.yaml:6 tier: silver (applications)',
      'policies/policy.yaml:4 spec: {priority: 1, subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {tier: silver}}}}} (applications)',
    ]);
    const renamed = rename(viewAt(b, 'here'), b.place('here').span.start, 'silver');
    assert.ok(renamed !== undefined && 'notes' in renamed);
    assert.deepEqual(renamed.notes['applications'], {
      label: 'Rename the label tier=gold, also in Application/billing and Application/policies',
      description: 'They are applied separately: until all of them are applied, selectors may not match.',
      needsConfirmation: false,
      afterwards:
        'The label is also renamed in Application/billing and Application/policies: until all of them are applied, selectors may not match.',
    });
  });
});

const flux = (name: string) => `
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: ${name}, namespace: flux-system}
    spec: {path: ./${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}`;

const deployment = (component: string, mark = '') => `
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: ${component}}
    spec:
      selector: {matchLabels: {app: ledger, component: ${component}}}
      template:
        metadata:
          labels:
            component: ${component}
            app: ledger
            ${mark}
        spec: {containers: [{name: c, image: c}]}`;

const kustomization = (namespace: string, ...lines: readonly string[]) =>
  [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `namespace: ${namespace}`,
    'resources: [all.yaml]',
    ...lines,
  ].join('\n    ');

/** Returns the edits that rename the label of one of two namesakes; a third GitOps object applies a policy with a peer. */
async function renamedNamesake(namespaceSelector: string, ...inPolicies: readonly string[]) {
  const b = await bench(`
    ==> clusters/prod/all.yaml <==${['payments', 'analytics', 'policies', 'platform'].map(flux).join('')}
    ---
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: all, namespace: flux-system}
    spec: {url: https://git.example.com/all, interval: 1m}
    ==> payments/kustomization.yaml <==
    ${kustomization('payments')}
    ==> payments/all.yaml <==${deployment('api', '#    ^ here')}
    ==> analytics/kustomization.yaml <==
    ${kustomization('analytics')}
    ==> analytics/all.yaml <==${deployment('feed')}
    ==> policies/kustomization.yaml <==
    ${kustomization('analytics', ...inPolicies)}
    ==> policies/all.yaml <==
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: nightly}
    spec:
      podSelector: {matchLabels: {role: nightly}}
      policyTypes: [Egress]
      egress:
        - to:
            - namespaceSelector: {matchLabels: ${namespaceSelector}}
              podSelector: {matchLabels: {app: ledger}}
    ==> platform/kustomization.yaml <==
    apiVersion: kustomize.config.k8s.io/v1beta1
    kind: Kustomization
    resources: [all.yaml]
    ==> platform/all.yaml <==
    apiVersion: v1
    kind: Namespace
    metadata: {name: payments, labels: {zone: core}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: analytics, labels: {zone: insight}}
  `);
  return renameLines(b, 'here', 'books');
}

describe('a rename of a label of which a namesake is in another namespace', () => {
  const ofPayments = [
    'payments/all.yaml:5 selector: {matchLabels: {app: books, component: api}} (immutable)',
    'payments/all.yaml:10 app: books (immutable)',
  ];
  const ofPolicy = 'policies/all.yaml:10 podSelector: {matchLabels: {app: books}} (immutable)';

  for (const namespaceSelector of ['{kubernetes.io/metadata.name: payments}', '{zone: core}']) {
    it(`leaves out the namesake, which a policy with ${namespaceSelector} does not select`, async () => {
      assert.deepEqual(await renamedNamesake(namespaceSelector), [...ofPayments, ofPolicy]);
    });
  }

  it('leaves out a policy that selects only the namesake', async () => {
    assert.deepEqual(await renamedNamesake('{zone: insight}'), ofPayments);
  });

  it('leaves out a policy that selects other pods as it is applied', async () => {
    const operations = '[{op: replace, path: /spec/egress/0/to/0/podSelector/matchLabels/app, value: journal}]';
    const patch = `patches: [{target: {kind: NetworkPolicy}, patch: '${operations}'}]`;
    assert.deepEqual(await renamedNamesake('{zone: core}', patch), ofPayments);
  });
});
