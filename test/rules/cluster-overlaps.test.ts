/** Tests which objects of different GitOps objects in one cluster are reported because their selectors overlap. */

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
  readonly platform?: string;
  /** The folder of the definition of the Kustomization `platform`. */
  readonly folder?: string;
  /** The objects that the Kustomizations apply. */
  readonly apps: string;
  readonly others: string;
  /** More files. */
  readonly files?: string;
}

/** The findings in the files of the Kustomizations `shop` and `platform`, with the names of the related objects. */
async function findings({
  shop,
  platform,
  folder = 'dev',
  apps,
  others,
  files = '',
}: Fleet): Promise<readonly string[]> {
  const b = await bench(`
    ==> clusters/dev/flux-system/sync.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: flux-system, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/fleet.git}${kustomization('clusters/dev').replace('name: clusters/dev', 'name: flux-system')}
    ==> clusters/dev/shop.yaml <==${kustomization('shop', shop)}
    ==> clusters/${folder}/platform.yaml <==${kustomization('platform', platform)}
    ==> shop/all.yaml <==${apps}
    ==> platform/all.yaml <==${others}${files}
  `);
  const rules = ['overlapping-disruption-budgets', 'overlapping-controllers'];
  return ['shop', 'platform'].flatMap((name) =>
    b
      .findings(`${name}/all.yaml`)
      .filter(({ rule }) => rules.includes(rule))
      .map(({ message }) => `${name}: ${message}`),
  );
}

const workload = (name: string, labels = `app: ${name}`, namespace = 'namespace: shop') => `
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: ${name}, ${namespace}}
    spec:
      selector: {matchLabels: {${labels}}}
      template: {metadata: {labels: {${labels}}}, spec: {containers: []}}`;

const budget = (name: string, selector: string, namespace = 'namespace: shop') => `
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: ${name}, ${namespace}}
    spec: {minAvailable: 1, selector: {${selector}}}`;

const web = 'matchLabels: {app: web}';
const both = (own: string, other: string, pods = 'Deployment/web') =>
  `${own}: This budget and '${other}' both select the pods of ${pods}; evictions of these pods fail.`;

describe('a budget in a Kustomization', () => {
  const apps = workload('web') + budget('web', web);

  it('is reported if a budget of another Kustomization of the cluster selects the same pods', async () => {
    const expected = [both('shop', 'all'), both('platform', 'web')];
    assert.deepEqual(await findings({ apps, others: budget('all', '') }), expected);
    assert.deepEqual(await findings({ apps, others: budget('all', web) }), expected);
    const absent = 'matchExpressions: [{key: app, operator: NotIn, values: [other]}]';
    assert.deepEqual(await findings({ apps, others: budget('all', absent) }), expected);
  });

  it('is reported with another budget of its own if both select pods of another Kustomization', async () => {
    const others = budget('one', web) + budget('two', '');
    assert.deepEqual(await findings({ apps: workload('web'), others }), [both('platform', 'one')]);
  });

  it('is reported for pods as they are applied', async () => {
    const shop =
      ', patches: [{target: {kind: Deployment}, patch: "[{op: add, path: /spec/template/metadata/labels/tier, value: front}]"}]';
    const others = budget('all', 'matchLabels: {tier: front}');
    assert.deepEqual(await findings({ shop, apps, others }), [both('shop', 'all'), both('platform', 'web')]);
    assert.deepEqual(await findings({ apps, others }), []);
    const target = ', targetNamespace: shop';
    const unplaced = apps.replaceAll('namespace: shop', 'labels: {}');
    assert.deepEqual(await findings({ shop: target, apps: unplaced, others: budget('all', web) }), [
      both('shop', 'all'),
      both('platform', 'web'),
    ]);
  });

  it('is not reported in another namespace, or if a namespace is not known', async () => {
    assert.deepEqual(await findings({ apps, others: budget('all', web, 'namespace: other') }), []);
    assert.deepEqual(await findings({ apps, others: budget('all', web, 'labels: {}') }), []);
    assert.deepEqual(
      await findings({ apps: apps.replaceAll('namespace: shop', 'labels: {}'), others: budget('all', web) }),
      [],
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a variable of Flux.
    assert.deepEqual(await findings({ apps, others: budget('all', web, 'namespace: "${where}"') }), []);
  });

  it('is not reported if no pods have the labels of both, or if these are not known', async () => {
    assert.deepEqual(await findings({ apps, others: budget('all', 'matchLabels: {tier: web}') }), []);
    assert.deepEqual(await findings({ apps: budget('web', web), others: budget('all', web) }), []);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a variable of Flux.
    assert.deepEqual(await findings({ apps, others: budget('all', 'matchLabels: {app: "${app}"}') }), []);
  });

  it('is not reported with its own copy, which another rule reports', async () => {
    assert.deepEqual(await findings({ apps, others: budget('web', web) }), []);
  });

  it('is not reported in another cluster, or if the cluster is not known', async () => {
    const others = budget('all', web);
    assert.deepEqual(await findings({ folder: 'prod', apps, others }), []);
    for (const remote of [', kubeConfig: {secretRef: {name: remote}}']) {
      assert.deepEqual(await findings({ shop: remote, apps, others }), []);
      assert.deepEqual(await findings({ platform: remote, apps, others }), []);
    }
  });

  it('is not reported if one of the Kustomizations is suspended', async () => {
    assert.deepEqual(await findings({ platform: ', suspend: true', apps, others: budget('all', web) }), []);
    assert.deepEqual(await findings({ shop: ', suspend: true', apps, others: budget('all', web) }), []);
  });
});

describe('budgets of Kustomizations of two clusters', () => {
  /** The findings, if the definition of `both` is applied to both clusters, and those of `dev` and `prod` only to one. */
  async function found(dev: string, prod: string, shared: string): Promise<readonly string[]> {
    const b = await bench(`
    ==> clusters/base/both.yaml <==${kustomization('both')}
    ==> clusters/dev/kustomization.yaml <==
    resources: [../base/both.yaml, dev.yaml]
    ==> clusters/dev/dev.yaml <==${kustomization('dev')}
    ==> clusters/prod/kustomization.yaml <==
    resources: [../base/both.yaml, prod.yaml]
    ==> clusters/prod/prod.yaml <==${kustomization('prod')}
    ==> both/all.yaml <==${shared}
    ==> dev/all.yaml <==${dev}
    ==> prod/all.yaml <==${prod}
    `);
    return ['both', 'dev', 'prod'].flatMap((name) =>
      b
        .findings(`${name}/all.yaml`)
        .flatMap(({ rule, message }) => (rule.startsWith('overl') ? `${name}: ${message}` : [])),
    );
  }

  it('are reported only if they and the pods are in one cluster', async () => {
    const [one, two] = [budget('one', web), budget('two', web)];
    assert.deepEqual(await found(one, workload('web'), two), []);
    assert.deepEqual(await found(one, two, workload('web')), []);
    assert.deepEqual(await found(one + workload('web'), '', two), [both('both', 'one'), both('dev', 'two')]);
    assert.deepEqual(await found(one, '', two + workload('web')), [both('both', 'one'), both('dev', 'two')]);
    assert.deepEqual(await found(workload('web'), workload('other', 'app: web'), ''), []);
  });
});

describe('a workload in a Kustomization', () => {
  const mutual = (own: string, name: string) =>
    `${own}: This selector and the selector of Deployment/${name} match each other's pods: both match 'app=web'.`;
  const apps = workload('web');
  const others = workload('front', 'app: web');

  it('is reported if it and a workload of another Kustomization match the same pods', async () => {
    assert.deepEqual(await findings({ apps, others }), [mutual('shop', 'front'), mutual('platform', 'web')]);
  });

  it('is reported with labels and namespaces as they are applied', async () => {
    const target = ', targetNamespace: shop, commonMetadata: {labels: {team: shop}}';
    const unplaced = apps.replaceAll('namespace: shop', 'labels: {}');
    assert.deepEqual(await findings({ shop: target, apps: unplaced, others }), [
      mutual('shop', 'front'),
      mutual('platform', 'web'),
    ]);
    const shop = `, patches: [{target: {kind: Deployment}, patch: '[{op: replace, path: /spec/selector/matchLabels/app, value: own}, {op: replace, path: /spec/template/metadata/labels/app, value: own}]'}]`;
    assert.deepEqual(await findings({ shop, apps, others }), []);
  });

  it('is not reported in another namespace or cluster, or if it is the same object', async () => {
    assert.deepEqual(await findings({ apps, others: workload('front', 'app: web', 'namespace: other') }), []);
    assert.deepEqual(await findings({ apps, others: workload('front', 'app: web', 'labels: {}') }), []);
    assert.deepEqual(await findings({ apps, others: apps }), []);
    assert.deepEqual(await findings({ folder: 'prod', apps, others }), []);
    assert.deepEqual(await findings({ platform: ', kubeConfig: {secretRef: {name: remote}}', apps, others }), []);
  });
});
