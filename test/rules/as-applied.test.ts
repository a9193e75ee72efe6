/**
 * Tests findings that hold in some overlays: the patch that causes them, and fixes that are right for every overlay.
 */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { describePosition } from '../harness/show.ts';

/** A Service and a Deployment in a base, and the label of the Deployment in two overlays. */
function shop(dev: string, prod: string): Promise<Bench> {
  const overlay = (name: string, app: string) => `
      ==> overlays/${name}/kustomization.yaml <==
      resources: [../../base]
      namePrefix: ${name}-
      patches: [{path: label.yaml}]
      ==> overlays/${name}/label.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: basket}
      spec:
        selector: {matchLabels: {app: ${app}}}
        template: {metadata: {labels: {app: ${app}, env: ${name}}}}`;
  return bench(`
      ==> base/kustomization.yaml <==
      resources: [service.yaml, deployment.yaml]
      ==> base/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: basket}
      spec:
        selector: {app: basket}
      ==> base/deployment.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: basket}
      spec:
        selector: {matchLabels: {app: basket}}
        template: {metadata: {labels: {app: basket}}}${overlay('dev', dev)}${overlay('prod', prod)}
    `);
}

/** The message, the related lines and the fixes of the only finding about the Service. */
function found(b: Bench) {
  const [finding, ...others] = b.findings('base/service.yaml');
  assert.ok(finding !== undefined && others.length === 0, 'there must be one finding');
  const related = finding.related.map(({ file, span, message }) => {
    const marked = b.files.find(({ name }) => b.uriOf(name) === file.uri);
    return `${describePosition(marked?.name ?? '', marked?.text ?? '', span)}: ${message}`;
  });
  return { message: finding.message, related, fixes: finding.fixes().map(({ title }) => title) };
}

describe('a fault in one overlay', () => {
  it('names the patch and its line, and has no fix in the base that the other overlay uses', async () => {
    const { message, related, fixes } = found(await shop('basket', 'baskets'));
    assert.match(message, / In prod, through label\.yaml\.$/);
    assert.deepEqual(related.slice(1), ['overlays/prod/label.yaml:6 "baskets": prod sets app=baskets here.']);
    assert.deepEqual(fixes, []);
  });

  it('names the workload of its name, and the patch of what is selected without it, if no label is similar', async () => {
    const { message, related } = found(await shop('basket', 'payments'));
    assert.match(message, / In prod, through label\.yaml\.$/);
    assert.deepEqual(related, [
      'base/deployment.yaml:2 "Deployment": Near miss: Deployment/prod-basket.',
      'overlays/prod/label.yaml:6 "payments": prod sets app=payments here.',
    ]);
  });
});

describe('a fault in every overlay', () => {
  it('has a fix in the base that is right for all of them', async () => {
    const { fixes } = found(await shop('baskets', 'baskets'));
    assert.deepEqual(fixes, ["Change the selector to 'baskets'"]);
  });

  it('has no fix in the base if each of them needs another one', async () => {
    const { fixes } = found(await shop('baskets', 'baskett'));
    assert.deepEqual(fixes, []);
  });
});

describe('a fault in some Applications of a set', () => {
  /** The finding about the namespaces in which three Applications apply a ConfigMap. */
  async function placed(...[first, second, third]: readonly string[]) {
    const b = await bench(`
      ==> argocd/set.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      metadata: {name: set, namespace: argocd}
      spec:
        generators: [{list: {elements: [{n: a, to: ${first}}, {n: b, to: ${second}}, {n: c, to: ${third}}]}}]
        template:
          metadata: {name: '{{n}}'}
          spec:
            source: {repoURL: https://git.example.com/shop.git, path: apps/web}
            destination: {server: https://kubernetes.default.svc, namespace: '{{to}}'}
      ==> apps/web/settings.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
    `);
    const [finding, ...others] = b.findings('apps/web/settings.yaml').filter(({ rule }) => rule === 'name-syntax');
    assert.ok(finding !== undefined && others.length === 0, 'there must be one finding');
    return [finding.message.replace(/.*\. /, ''), ...finding.related.map(({ message }) => message)];
  }

  it('names the file from the workspace folder, and all Applications with the cause', async () => {
    assert.deepEqual(await placed('x.y', 'x.y', 'web'), [
      'In a and b, through argocd/set.yaml.',
      'a and b set namespace x.y here.',
    ]);
  });

  it('attributes a value only to the Applications that have it', async () => {
    assert.deepEqual(await placed('x.y', 'x.z', 'web'), [
      'In a and b, through argocd/set.yaml.',
      'a sets namespace x.y here.',
    ]);
  });
});

describe('a fault about selectors in one overlay', () => {
  /** The messages about an object in a base; only the overlay `prod` contains the other objects, and both overlays set labels. */
  async function messages(own: string, others: string): Promise<readonly string[]> {
    const labels = (name: string) => `labels: [{pairs: {environment: ${name}}, includeTemplates: true}]`;
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [own.yaml, pods.yaml]
      ==> base/own.yaml <==${own}
      ==> base/pods.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: main, ports: [{containerPort: 80}]}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: api, labels: {app: api}}
      spec: {containers: [{name: main, ports: [{containerPort: 80}]}]}
      ==> dev/kustomization.yaml <==
      resources: [../base]
      ==> prod/kustomization.yaml <==
      resources: [../base, others.yaml]
      ${labels('prod')}
      ==> prod/others.yaml <==${others}
    `);
    return b.findings('base/own.yaml').map(({ message }) => message);
  }

  const policy = (name: string, spec: string) => `
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: ${name}}
      spec: {${spec}}`;

  it('does not name a label that no selector requires', async () => {
    const clients =
      'podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{to: [{podSelector: {matchLabels: {app: api}}}]}]';
    assert.deepEqual(
      (await messages(policy('web', clients), policy('deny', 'podSelector: {}, policyTypes: [Ingress]'))).filter(
        (each) => each.startsWith('This peer'),
      ),
      [
        'This peer has no effect: no ingress policy of Pod/api (default/deny) allows this connection on any port. In prod.',
      ],
    );
    const budget = (name: string) => `
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: ${name}}
      spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}`;
    assert.deepEqual(await messages(budget('web'), budget('all')), [
      "This budget and 'all' both select the pods of Pod/web; evictions of these pods fail. In prod.",
    ]);
  });
});
