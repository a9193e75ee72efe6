/** Tests that commands evaluate the network policies of all GitOps objects that apply to one cluster. */

import assert from 'node:assert/strict';
import { home, runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

const kustomization = (name: string, path = name) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${path}, sourceRef: {kind: GitRepository, name: fleet}}
`;

/** The definitions of a cluster to which Kustomizations with the names of their folders apply. */
const cluster = (name: string, parts: readonly string[]): Files => ({
  [`clusters/${name}/kustomization.yaml`]: `resources: [${parts.map((part) => `${part}.yaml`).join(', ')}]\n`,
  ...Object.fromEntries(parts.map((part) => [`clusters/${name}/${part}.yaml`, kustomization(part)])),
});

const deployment = (name: string, namespace: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}${more}}}
    spec: {containers: [{name: main, image: example.com/main, ports: [{containerPort: 8080}]}]}
`;

const policy = (name: string, namespace: string, spec: string) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: ${namespace}}
spec: ${spec}
`;

const namespaceNamed = (name: string, labels: string) => `---
apiVersion: v1
kind: Namespace
metadata: {name: ${name}, labels: {${labels}}}
`;

const allowDesk =
  '{podSelector: {matchLabels: {tier: front}}, ingress: [{from: [{namespaceSelector: {matchLabels: {zone: inside}}}], ports: [{port: 8080}]}]}';

const parts: Files = {
  'platform/all.yaml': [
    namespaceNamed('shop', 'zone: outside'),
    namespaceNamed('office', 'zone: inside'),
    policy('deny', 'shop', '{podSelector: {}, policyTypes: [Ingress, Egress]}'),
    policy('dns', 'shop', '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}]}'),
  ].join(''),
  'shop/web.yaml': deployment('web', 'shop', ', tier: front') + policy('web', 'shop', allowDesk),
  'office/desk.yaml': deployment('desk', 'office'),
};

const prod: Files = { ...cluster('prod', ['platform', 'shop', 'office']), ...parts };
const both: Files = { ...prod, ...cluster('dev', ['platform', 'shop', 'office']) };

/** The shop without the label that its policy requires. */
const withoutTier = (parts['shop/web.yaml'] ?? '').replace('tier: front}}\n    spec', 'tier: rear}}\n    spec');
/** The office with a policy that denies all connections to the shop. */
const withDenial = `${parts['office/desk.yaml']}${policy('desk', 'office', '{podSelector: {}, policyTypes: [Egress]}')}`;

interface Effects {
  readonly connections: readonly object[];
}

async function impact(files: Files, path: string, text: string): Promise<readonly object[]> {
  const standardInput = { text: JSON.stringify({ files: [{ path, text }] }) };
  const { json, err } = await runInMemory(['impact', '-', '--format', 'json'], {
    files,
    standardInput,
    repositories: [home],
  });
  assert.deepEqual(err, []);
  return (json as Effects).connections;
}

async function diff(files: Files, path: string, text: string, ...words: readonly string[]): Promise<readonly object[]> {
  const { json } = await runInMemory(['diff', 'HEAD', '--format', 'json', ...words], {
    files: { ...files, [path]: text },
    commits: { HEAD: files },
    repositories: [home],
  });
  return (json as Effects).connections;
}

/** The lines of `reach`, and its errors after `! `. */
async function reach(files: Files, ...words: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await runInMemory(['reach', ...words], { files, repositories: [home] });
  return [...err.map((line) => `! ${line}`), ...out];
}

const [desk, web] = ['office/Deployment/desk', 'shop/Deployment/web'];
const closed = { kind: 'closed', from: desk, to: web, ports: 'TCP 8080', scope: 'clusters/prod' };
const outwards = ['shop/Deployment/web', 'ip:0.0.0.0/0', 'ip:::/0'].map((to) => ({
  kind: 'closed',
  from: desk,
  to,
  ports: to === web ? 'TCP 8080' : 'all ports',
  scope: 'clusters/prod',
}));

describe('changed connections in a cluster with several GitOps objects', () => {
  it('depend on the policies of all of them', async () => {
    assert.deepEqual(await impact(prod, 'shop/web.yaml', withoutTier), [closed]);
    assert.deepEqual(await diff(prod, 'shop/web.yaml', withoutTier), [closed]);
  });

  it('include connections between the workloads of different GitOps objects', async () => {
    const byName = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).toSorted();
    assert.deepEqual(byName(await impact(prod, 'office/desk.yaml', withDenial)), byName(outwards));
    assert.deepEqual(byName(await diff(prod, 'office/desk.yaml', withDenial)), byName(outwards));
  });

  it('are listed for each cluster, with its name', async () => {
    const inBoth = ['clusters/dev', 'clusters/prod'].map((scope) => ({ ...closed, scope }));
    assert.deepEqual(await impact(both, 'shop/web.yaml', withoutTier), inBoth);
    assert.deepEqual(await diff(both, 'shop/web.yaml', withoutTier), inBoth);
    assert.deepEqual(await diff(both, 'shop/web.yaml', withoutTier, '--scope', 'clusters/dev/shop.yaml'), [
      { ...closed, scope: 'clusters/dev' },
    ]);
  });

  it('and changed matches are compared for what the GitOps objects in the scope apply', async () => {
    const compare = async (after: Files, scope: string) => {
      const world = { files: { ...both, ...after }, commits: { HEAD: both }, repositories: [home] };
      const { json } = await runInMemory(['diff', 'HEAD', '--format', 'json', '--scope', scope], world);
      const { changes, connections } = json as Effects & { readonly changes: readonly { readonly message: string }[] };
      return [...changes.map(({ message }) => message), ...connections];
    };
    const change = { 'shop/web.yaml': withoutTier };
    const found = ['NetworkPolicy/web no longer applies to Deployment/web in shop (clusters/prod/shop.yaml).', closed];
    assert.deepEqual(await compare(change, 'clusters/prod'), found);
    const mixed = {
      ...change,
      'clusters/prod/office.yaml': `${kustomization('office')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cluster, namespace: shop}\n`,
    };
    assert.deepEqual(await compare(mixed, 'clusters/prod'), found);
    assert.deepEqual(await compare({}, 'clusters/prod'), []);
  });

  it('are listed as text with their clusters, like changed matches', async () => {
    const standardInput = { text: JSON.stringify({ files: [{ path: 'shop/web.yaml', text: withoutTier }] }) };
    const { out } = await runInMemory(['impact', '-'], { files: both, standardInput, repositories: [home] });
    assert.deepEqual(
      out.filter((line) => line.startsWith('-')),
      [
        '- NetworkPolicy/web no longer applies to Deployment/web in shop (clusters/dev/shop.yaml).',
        '- NetworkPolicy/web no longer applies to Deployment/web in shop (clusters/prod/shop.yaml).',
        `- ${desk} -> ${web}: TCP 8080 (clusters/dev)`,
        `- ${desk} -> ${web}: TCP 8080 (clusters/prod)`,
      ],
    );
  });
});

describe('reach in a cluster with several GitOps objects', () => {
  const scopes = [
    'clusters/prod',
    'clusters/prod/platform.yaml',
    'clusters/prod/shop.yaml',
    'clusters/prod/office.yaml',
  ];
  const allowed = `${desk} -> ${web}, TCP 8080: allowed`;

  it('evaluates the policies and namespaces of all of them, whichever scope is named', async () => {
    for (const files of [prod, both])
      for (const scope of scopes) {
        const lines = await reach(files, 'desk', 'web', '--port', '8080', '--scope', scope);
        assert.equal(lines[0], allowed, scope);
        const [denied] = await reach(files, 'web', 'desk', '--port', '8080', '--scope', scope);
        assert.equal(denied, `${web} -> ${desk}, TCP 8080: denied`, scope);
      }
  });

  it('lists the connections of the objects in the scope', async () => {
    assert.deepEqual(await reach(prod, '--scope', 'clusters/prod/shop.yaml'), [
      `${desk} -> ${web}: TCP 8080 (ingress rule 1 of shop/web)`,
      `${web} -> ${desk}: UDP 53 (egress rule 1 of shop/dns)`,
      `${web} -> ip:0.0.0.0/0: UDP 53 (egress rule 1 of shop/dns)`,
      `${web} -> ip:::/0: UDP 53 (egress rule 1 of shop/dns)`,
    ]);
  });

  it('lists the connections of the workloads that the GitOps objects in the scope apply', async () => {
    const all = await reach(prod);
    for (const files of [prod, both]) {
      assert.deepEqual(await reach(files, '--scope', 'clusters/prod'), all);
      assert.deepEqual(await reach(files, '--scope', 'clusters/prod', '--to', 'web', '--port', '8080'), [
        `${desk} -> ${web}: TCP 8080 (ingress rule 1 of shop/web)`,
      ]);
    }
    const few: Files = {
      ...both,
      'clusters/few/kustomization.yaml': 'resources: [apps.yaml, ../prod/platform.yaml]\n',
      'clusters/few/apps.yaml': kustomization('apps'),
      'apps/office.yaml': kustomization('office'),
    };
    assert.deepEqual(
      await reach(few, '--scope', 'clusters/few'),
      all.filter((line) => !line.includes(web)),
    );
  });

  it('lists the connections of the workloads that a folder of Applications applies to another cluster', async () => {
    const application = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  source: {repoURL: 'https://git.example.com/fleet', path: ${name}, targetRevision: HEAD}
  destination: {name: remote, namespace: default}
`;
    const applications = ['platform', 'shop', 'office'].map((name) => [`argocd/${name}.yaml`, application(name)]);
    const files: Files = { ...parts, ...Object.fromEntries(applications) };
    assert.deepEqual(await reach(files, '--scope', 'argocd', '--to', 'web', '--port', '8080'), [
      `${desk} -> ${web}: TCP 8080 (ingress rule 1 of shop/web)`,
    ]);
  });

  it('accepts the name of a workload as it is written in its file', async () => {
    const files = { ...prod, 'shop/kustomization.yaml': 'namePrefix: eu-\nresources: [web.yaml]\n' };
    const expected = `${desk} -> shop/Deployment/eu-web, TCP 8080: allowed`;
    for (const word of ['web', 'Deployment/web', 'shop/Deployment/web', 'eu-web']) {
      const [line] = await reach(files, 'desk', word, '--port', '8080', '--scope', 'clusters/prod');
      assert.equal(line, expected);
    }
    const twice = {
      ...files,
      'shop/kustomization.yaml': 'resources: [eu, us]\n',
      'shop/eu/kustomization.yaml': 'namePrefix: eu-\nresources: [../web]\n',
      'shop/us/kustomization.yaml': 'namePrefix: us-\nresources: [../web]\n',
      'shop/web/kustomization.yaml': 'resources: [web.yaml]\n',
      'shop/web/web.yaml': parts['shop/web.yaml'] ?? '',
    };
    assert.deepEqual(await reach(twice, 'desk', 'web', '--scope', 'clusters/prod'), [
      "! selector-lens: 'web' is not one workload: shop/Deployment/eu-web, shop/Deployment/us-web.",
    ]);
  });

  it('requires the name of one of several clusters', async () => {
    assert.deepEqual(await reach(both, 'desk', 'web'), [
      "! selector-lens: Objects are applied to several clusters: choose one with '--scope': clusters/dev, clusters/prod.",
    ]);
  });

  it('is uncertain about policies of GitOps objects that may apply to another cluster', async () => {
    const apart: Files = {
      ...parts,
      'apps/shop.yaml': kustomization('shop'),
      'infra/platform.yaml': kustomization('platform'),
      'apps/office.yaml': kustomization('office'),
    };
    assert.deepEqual(await reach(apart, 'web', 'ip:192.0.2.1', '--port', '443', '--scope', 'apps/shop.yaml'), [
      `${web} -> ip:192.0.2.1, TCP 443: unknown`,
      '  ingress: ip:192.0.2.1 is outside the cluster',
      '  unknown: platform applies shop/deny, possibly to another cluster',
      '  unknown: platform applies shop/dns, possibly to another cluster',
      '  near miss: egress rule 1 of shop/dns (platform/all.yaml:18): it allows only UDP 53',
    ]);
    assert.deepEqual(
      await reach(
        apart,
        'web',
        'ip:192.0.2.1',
        '--port',
        '443',
        '--scope',
        'apps/shop.yaml',
        '--scope',
        'infra/platform.yaml',
      ),
      [
        `${web} -> ip:192.0.2.1, TCP 443: denied`,
        '  ingress: ip:192.0.2.1 is outside the cluster',
        '  egress: isolated by shop/deny (platform/all.yaml:11)',
        '  egress: isolated by shop/dns (platform/all.yaml:16)',
        '  near miss: egress rule 1 of shop/dns (platform/all.yaml:18): it allows only UDP 53',
      ],
    );
  });
});

describe('rules about network policies in a cluster with several GitOps objects', () => {
  const clients =
    '{podSelector: {matchLabels: {tier: front}}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}], ports: [{port: 8080}]}]}';
  const findings = async (files: Files) => {
    const { json } = await runInMemory(['check', '--format', 'json'], { files, repositories: [home] });
    const { diagnostics } = json as {
      readonly diagnostics: readonly { readonly file: string; readonly rule: string }[];
    };
    return diagnostics.map(({ file, rule }) => `${file}: ${rule}`);
  };
  const shop = { 'shop/web.yaml': `${parts['shop/web.yaml']}${policy('clients', 'shop', clients)}` };

  it('consider permissions of other GitOps objects', async () => {
    assert.deepEqual(await findings({ ...prod, ...shop }), []);
    assert.deepEqual(await findings({ ...both, ...shop }), []);
  });

  it('report what no GitOps object of the cluster allows', async () => {
    const platform = parts['platform/all.yaml']?.replace('port: 53', 'port: 54') ?? '';
    assert.deepEqual(await findings({ ...prod, ...shop, 'platform/all.yaml': platform }), [
      'shop/web.yaml: network-policy-dns',
    ]);
  });
});
