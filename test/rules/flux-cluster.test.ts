/** Tests which selectors are compared with objects that other GitOps objects apply to the cluster. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const kustomization = (name: string, more = '') => `
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: ${name}, namespace: flux-system}
    spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: flux-system}${more}}`;

interface Fleet {
  /** Options of the Kustomizations. */
  readonly shop?: string;
  readonly monitoring?: string;
  /** The folder of the definition of the Kustomization `monitoring`. */
  readonly folder?: string;
  /** An object that the Kustomization `monitoring` applies. */
  readonly selecting: string;
  /** More objects that the Kustomization `shop` applies, with the indentation of this text. */
  readonly others?: string;
}

/** The findings about an object in the Kustomization `monitoring`, whose cluster also has the Kustomization `shop`. */
async function findings({ shop, monitoring, folder = 'dev', selecting, others = '' }: Fleet): Promise<string> {
  const b = await bench(`
    ==> clusters/dev/flux-system/sync.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: flux-system, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/fleet.git}${kustomization('clusters/dev').replace('name: clusters/dev', 'name: flux-system')}
    ==> clusters/dev/shop.yaml <==${kustomization('shop', shop)}
    ==> clusters/${folder}/monitoring.yaml <==${kustomization('monitoring', monitoring)}
    ==> shop/all.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: checkout, namespace: shop}
    spec:
      selector: {matchLabels: {app: checkout}}
      template: {metadata: {labels: {app: checkout}}, spec: {containers: []}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: checkout, namespace: shop, labels: {part: checkout}}
    spec: {selector: {app: checkout}, ports: [{name: http, port: 80}]}${others}
    ==> monitoring/all.yaml <==${selecting}
  `);
  const found = b.findings('monitoring/all.yaml').filter(({ rule }) => rule === 'selects-nothing');
  return found.map(({ message, severity }) => `${severity}: ${message}`).join('\n');
}

const monitor = (labels: string, namespaces = 'matchNames: [shop]') => `
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: all, namespace: monitoring}
    spec: {namespaceSelector: {${namespaces}}, selector: {matchLabels: {${labels}}}, endpoints: [{port: http}]}`;

const policy = (app: string, namespace = 'namespace: shop') => `
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: policy, ${namespace}}
    spec: {podSelector: {matchLabels: {app: ${app}}}, ingress: []}`;

const nothing = (closest: string) => `warning: This selector matches no object in its cluster. Closest: ${closest}.`;
const service = nothing('Service/checkout (has part=checkout, but the selector wants part=chekcout)');
const deployment = nothing('Deployment/checkout (has app=checkout, but the selector wants app=chekcout)');

describe('a selector in a Kustomization', () => {
  it('is reported if it almost matches an object of another Kustomization of the cluster', async () => {
    assert.equal(await findings({ selecting: monitor('part: chekcout') }), service);
    assert.equal(await findings({ selecting: monitor('part: chekcout', 'any: true') }), service);
    assert.equal(await findings({ selecting: policy('chekcout') }), deployment);
  });

  it('is reported if both Kustomizations set the namespace', async () => {
    const [shop, monitoring] = [', targetNamespace: web', ', targetNamespace: web'];
    assert.equal(await findings({ shop, monitoring, selecting: policy('chekcout', 'labels: {}') }), deployment);
  });

  it('is compared with labels as they are applied', async () => {
    const shop = ', commonMetadata: {labels: {part: basket}}';
    const basket = nothing('Service/checkout (has part=basket, but the selector wants part=bakset)');
    assert.equal(await findings({ shop, selecting: monitor('part: bakset') }), basket);
    assert.equal(await findings({ shop, selecting: monitor('part: basket') }), '');
  });

  it('is a hint if it almost matches a label that only a patch of another Kustomization sets', async () => {
    const shop = `, patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/template/metadata/labels/tier, value: data}]'}]`;
    const selecting = (tier: string) => `
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: policy, namespace: shop}
    spec: {podSelector: {matchLabels: {tier: ${tier}}}, ingress: []}`;
    const closest = 'Closest: Deployment/checkout (has tier=data, but the selector wants tier=date).';
    assert.equal(
      await findings({ shop, selecting: selecting('date') }),
      `hint: This selector matches no object in its cluster. ${closest}`,
    );
    assert.equal(await findings({ shop, selecting: selecting('data') }), '');
    assert.equal(await findings({ selecting: selecting('date') }), '');
  });

  it('is a hint if it requires a label that only a patch of another Kustomization sets, with another value', async () => {
    const shop = `, patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/template/metadata/labels/color, value: green}]'}]`;
    const selecting = (labels: string) => policy('checkout').replace('app: checkout', labels);
    const nowhere = 'hint: This selector matches no object in its cluster.';
    assert.equal(await findings({ shop, selecting: selecting('app: checkout, color: greens') }), nowhere);
    assert.equal(
      await findings({ shop, selecting: selecting('app: checkout, color: greem') }),
      'warning: This selector matches no object in its cluster. Closest: Deployment/checkout (has color=green, but the selector wants color=greem).',
    );
    assert.equal(await findings({ shop, selecting: selecting('app: checkout, color: green') }), '');
    assert.equal(await findings({ shop, selecting: selecting('app: checkout, shade: green') }), '');
    assert.equal(await findings({ selecting: selecting('app: checkout, color: greens') }), '');
  });

  it('is reported if the labels are on a workload of another Kustomization, and not on its pods', async () => {
    const others = `
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: basket, namespace: shop, labels: {app: basket}}
    spec:
      selector: {matchLabels: {name: basket}}
      template: {metadata: {labels: {name: basket}}, spec: {containers: []}}`;
    const basket = nothing('Deployment/basket (the labels are on the object itself, not in `spec.template`)');
    assert.equal(await findings({ selecting: policy('basket'), others }), basket);
  });

  it('is not reported if its namespace is another one, or not known', async () => {
    assert.equal(await findings({ selecting: policy('chekcout', 'namespace: other') }), '');
    assert.equal(await findings({ selecting: policy('chekcout', 'labels: {}') }), '');
    assert.equal(await findings({ selecting: monitor('part: chekcout', 'matchNames: [other]') }), '');
    assert.equal(await findings({ shop: ', targetNamespace: other', selecting: policy('chekcout') }), '');
  });

  it('is not reported for a word in its own name that may be correct', async () => {
    const selecting = policy('checkeut').replace('name: policy', 'name: checkeut');
    assert.equal(await findings({ selecting }), '');
    const selected = policy('checkeut');
    assert.match(await findings({ selecting: selected }), /wants app=checkeut/);
    // The objects of another repository are not known, and neither are those of a ResourceSet.
    const elsewhere = kustomization('other').replace('name: flux-system}}', 'name: elsewhere}}');
    const set = `
    ---
    apiVersion: fluxcd.controlplane.io/v1
    kind: ResourceSet
    metadata: {name: all, namespace: shop}
    spec: {inputs: [{app: checkeut}], resources: []}`;
    for (const others of [elsewhere, set]) {
      assert.equal(await findings({ selecting: selected, others }), '');
      assert.equal(await findings({ selecting: policy('chekcout'), others }), deployment);
    }
  });

  it('is not reported in another cluster, or if the cluster is not known', async () => {
    const selecting = policy('chekcout');
    assert.equal(await findings({ folder: 'prod', selecting }), '');
    assert.equal(await findings({ monitoring: ', kubeConfig: {secretRef: {name: remote}}', selecting }), '');
    assert.equal(await findings({ shop: ', kubeConfig: {secretRef: {name: remote}}', selecting }), '');
  });

  it('is not reported if another object of the cluster matches, or one that no Kustomization applies', async () => {
    const other = (namespace: string) => `
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: other, namespace: ${namespace}}
    spec:
      selector: {matchLabels: {app: chekcout}}
      template: {metadata: {labels: {app: chekcout}}, spec: {containers: []}}`;
    assert.equal(await findings({ selecting: policy('chekcout'), others: other('shop') }), '');
    assert.equal(await findings({ selecting: policy('chekcout'), others: other('far') }), '');
  });
});

describe('the namespaces of a selector in a Kustomization', () => {
  const near = (wanted: string) =>
    `warning: Nothing else in this scope is in namespace '${wanted}'. Closest: namespace 'shop'.`;
  const targeting = ', targetNamespace: shop';
  const made = `
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: shop}`;

  it('are reported if they almost are the namespace that another Kustomization of the cluster sets or creates', async () => {
    const selecting = monitor('part: checkout', 'matchNames: [shopp]');
    assert.equal(await findings({ shop: targeting, selecting }), near('shopp'));
    assert.equal(await findings({ others: made, selecting }), near('shopp'));
    const peer = policy('checkout', 'namespace: edge').replace(
      'ingress: []',
      'ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shpo}}}]}]',
    );
    assert.equal(await findings({ shop: targeting, selecting: peer }), near('shpo'));
  });

  it('are not reported in another cluster, or if only objects are in the similar namespace', async () => {
    const selecting = monitor('part: checkout', 'matchNames: [shopp]');
    assert.equal(await findings({ selecting }), '');
    assert.equal(await findings({ folder: 'prod', others: made, selecting }), '');
  });

  it('are not reported if they are in use, or are different words', async () => {
    const others = made.replace('shop', 'shopp');
    assert.equal(
      await findings({ shop: targeting, selecting: monitor('part: checkout', 'matchNames: [shopp]'), others }),
      '',
    );
    for (const name of ['ship', 'web-shop', 'shop-eu'])
      assert.equal(
        await findings({ shop: targeting, selecting: monitor('part: checkout', `matchNames: [${name}]`) }),
        '',
      );
    const target = ', targetNamespace: shopp';
    const selecting = monitor('part: checkout', 'matchNames: [shopp]');
    assert.equal(await findings({ shop: targeting, monitoring: target, selecting }), '');
  });

  it('are reported for its own object if objects of the cluster in the similar namespace match', async () => {
    const selecting = policy('checkout', 'namespace: shpo');
    assert.equal(await findings({ others: made, selecting }), near('shpo'));
    const both = selecting + selecting.replace(/^/, '\n    ---').replace('name: policy', 'name: second');
    assert.equal(await findings({ others: made, selecting: both }), `${near('shpo')}\n${near('shpo')}`);
  });

  it('are not reported for its own object if the namespace is used elsewhere, or nothing matches', async () => {
    const selecting = policy('checkout', 'namespace: shpo');
    const others = made + made.replace('shop', 'shpo');
    assert.equal(await findings({ others, selecting }), '');
    assert.equal(await findings({ others: made, selecting: policy('other', 'namespace: shpo') }), '');
    assert.equal(await findings({ folder: 'prod', others: made, selecting }), '');
  });
});

describe('a selector in an Application', () => {
  const application = (name: string, cluster: string) => `
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec:
      source: {repoURL: https://git.example.com/fleet.git, path: ${name}}
      destination: {${cluster}namespace: shop}`;
  const local = 'server: https://kubernetes.default.svc, ';

  /** The findings about a policy, with the definitions of two Applications, and further files. */
  async function found(shop: string, policies: string, more = '', between = '    ---'): Promise<readonly string[]> {
    const b = await bench(`
    ==> argocd/apps.yaml <==${application('shop', shop)}
${between}${application('policies', policies)}
    ==> shop/all.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: checkout}
    spec:
      selector: {matchLabels: {app: checkout}}
      template: {metadata: {labels: {app: checkout}}, spec: {containers: []}}
    ==> policies/all.yaml <==${policy('chekcout', 'labels: {}')}${more}
    `);
    const reported = b.findings('policies/all.yaml').filter(({ rule }) => rule === 'selects-nothing');
    return reported.map(({ severity, message }) => `${severity}: ${message}`);
  }

  it('is reported for Applications with the same cluster whose definitions are applied together', async () => {
    assert.deepEqual(await found(local, local), [deployment]);
    const files = '    ==> argocd/policies.yaml <==';
    const list = '\n    ==> argocd/kustomization.yaml <==\n    resources: [apps.yaml, policies.yaml]';
    assert.deepEqual(await found(local, local, list, files), [deployment]);
    assert.deepEqual(await found(local, local, '', files), []);
  });

  it('is not reported for Applications with other or unknown clusters', async () => {
    assert.deepEqual(await found(local, 'server: https://prod.example.com, '), []);
    assert.deepEqual(await found('', ''), []);
  });
});
