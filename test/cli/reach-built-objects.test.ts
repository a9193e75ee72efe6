/** Tests that reach evaluates objects as kustomizations and charts build them: the network of pods, and addresses. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';
import { type Answer, answerText, policy, workload } from './policy-documents.ts';

type Files = Readonly<Record<string, string>>;

const plain = workload('agent').replace(', ports: [{containerPort: 80}]', '');
const onHost = plain.replace('spec: {containers', 'spec: {hostNetwork: true, containers');
const cronJob = (host: string) => `apiVersion: batch/v1
kind: CronJob
metadata: {name: agent, namespace: shop}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec: {template: {metadata: {labels: {app: agent}}, spec: {${host}restartPolicy: Never, containers: [{name: main, image: example}]}}}
`;
const pod = (host: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: agent, namespace: shop, labels: {app: agent}}\nspec: {${host}containers: [{name: main, image: example}]}\n`;

const denying = policy('cilium.io/v2/CiliumNetworkPolicy', '{endpointSelector: {}, ingress: [{}]}');
const merge = (value: boolean) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: agent, namespace: shop}\nspec: {template: {spec: {hostNetwork: ${value}}}}\n`;
const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '    ');
const patches = (patch: string, target = '') => `patches:\n- patch: |\n${indented(patch)}${target}`;
const target = (kind: string) => `  target: {kind: ${kind}, name: agent}\n`;

async function ask(files: Files, from: string, to: string, scope: string): Promise<string> {
  const words = ['reach', from, to, '--port', '80', '--format', 'json', '--scope', scope];
  const { code, out, err } = await runInMemory(words, { files });
  assert.equal(code, 0, err.join('\n'));
  return answerText(JSON.parse(out.join('\n')) as Answer);
}

const overlay = (documents: readonly string[], change: string, more: Files = {}): Files => ({
  'base/kustomization.yaml': 'resources: [all.yaml]\n',
  'base/all.yaml': [workload('web'), ...documents].join('\n---\n'),
  'prod/kustomization.yaml': `resources: [../base]\n${change}`,
  ...more,
});

describe('reach of pods on the network of their node', () => {
  const on = 'hostNetwork: true, ';
  for (const [title, agent, change, expected] of [
    ['as written', plain, '', 'denied'],
    ['with a patch', plain, patches(merge(true)), 'allowed'],
    ['with a patch of a pod with ports', workload('agent'), patches(merge(true)), 'allowed'],
    [
      'with operations',
      plain,
      patches('- {op: add, path: /spec/template/spec/hostNetwork, value: true}\n', target('Deployment')),
      'allowed',
    ],
    ['written', onHost, '', 'allowed'],
    ['removed by a patch', onHost, patches(merge(false)), 'denied'],
    [
      'removed by operations',
      onHost,
      patches('- {op: remove, path: /spec/template/spec/hostNetwork}\n', target('Deployment')),
      'denied',
    ],
    [
      'removed by operations from a CronJob',
      cronJob(on),
      patches('- {op: remove, path: /spec/jobTemplate/spec/template/spec/hostNetwork}\n', target('CronJob')),
      'denied',
    ],
    [
      'added by operations to a Pod',
      pod(''),
      patches('- {op: add, path: /spec/hostNetwork, value: true}\n', target('Pod')),
      'allowed',
    ],
  ] as const)
    it(`is ${expected}: ${title}`, async () => {
      assert.equal(await ask(overlay([agent, denying], change), 'web', 'agent', 'prod'), expected);
    });

  it('is allowed: with a component', async () => {
    const component = `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n${patches(merge(true))}`;
    const files = overlay([plain, denying], 'components: [../host]\n', { 'host/kustomization.yaml': component });
    assert.equal(await ask(files, 'web', 'agent', 'prod'), 'allowed');
  });

  it('is allowed: with a patch of a Kustomization of Flux', async () => {
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./shop
  sourceRef: {kind: GitRepository, name: fleet}
  patches:
  - target: {kind: Deployment, name: agent}
    patch: |
${indented(indented(merge(true)))}`;
    const files = {
      'apps/shop.yaml': flux,
      'shop/kustomization.yaml': 'resources: [all.yaml]\n',
      'shop/all.yaml': [workload('web'), plain, denying].join('\n---\n'),
    };
    assert.equal(await ask(files, 'web', 'agent', 'apps/shop.yaml'), 'allowed');
  });

  it('follows the value of a chart', async () => {
    const chart = (host: boolean) => ({
      'Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'values.yaml': `host: ${host}\n`,
      'templates/all.yaml': [
        workload('web'),
        plain.replace('spec: {containers', 'spec: {hostNetwork: {{ .Values.host }}, containers'),
        denying,
      ].join('\n---\n'),
    });
    assert.notEqual(await ask(chart(true), 'web', 'agent', '.'), 'denied');
    assert.notEqual(await ask(chart(false), 'web', 'agent', '.'), 'allowed');
  });
});

describe('reach with addresses of built objects', () => {
  const changed = (kind: string, name: string, spec: string, namespace = '') =>
    `apiVersion: ${kind.slice(0, kind.lastIndexOf('/'))}\nkind: ${kind.slice(kind.lastIndexOf('/') + 1)}\nmetadata: {name: ${name}${namespace}}\n${spec}\n`;
  const inShop = ', namespace: shop';
  for (const [kind, name, before, after, old, fresh, namespace] of [
    [
      'projectcalico.org/v3/IPPool',
      'pods',
      'spec: {cidr: 10.1.0.0/16}',
      'spec: {cidr: 10.2.0.0/16}',
      '10.1.0.1',
      '10.2.0.1',
      '',
    ],
    [
      'operator.tigera.io/v1/Installation',
      'default',
      'spec: {calicoNetwork: {ipPools: [{cidr: 10.1.0.0/16}]}}',
      'spec: {calicoNetwork: {ipPools: [{cidr: 10.2.0.0/16}]}}',
      '10.1.0.1',
      '10.2.0.1',
      '',
    ],
    [
      'v1/Service',
      'edge',
      'spec: {selector: {app: web}, externalIPs: [192.0.2.50], ports: [{port: 80}]}',
      'spec: {externalIPs: [192.0.2.60]}',
      '192.0.2.50',
      '192.0.2.60',
      inShop,
    ],
    [
      'v1/Service',
      'edge',
      'spec: {selector: {app: web}, ports: [{port: 80}]}',
      'spec: {loadBalancerIP: 192.0.2.60}',
      '192.0.2.50',
      '192.0.2.60',
      inShop,
    ],
    [
      'v1/Node',
      'one',
      'status: {addresses: [{type: InternalIP, address: 192.0.2.7}]}',
      'status: {addresses: [{type: InternalIP, address: 192.0.2.8}]}',
      '192.0.2.70',
      '192.0.2.8',
      '',
    ],
    [
      'v1/ConfigMap',
      'cilium-config',
      'data: {cluster-pool-ipv4-cidr: 10.10.0.0/16}',
      'data: {cluster-pool-ipv4-cidr: 10.20.0.0/16}',
      '10.10.0.1',
      '10.20.0.1',
      ', namespace: kube-system',
    ],
    [
      'v1/Pod',
      'fixed',
      'spec: {containers: [{name: main, image: example}]}',
      'status: {podIP: 10.2.0.1}',
      '10.1.0.1',
      '10.2.0.1',
      inShop,
    ],
  ] as const) {
    it(`are those of the patched ${kind} with ${after}`, async () => {
      const type = kind.startsWith('v1/') ? `${kind}` : kind;
      const document = (spec: string) => changed(type, name, spec, namespace);
      const files = overlay([document(before)], patches(document(after)));
      assert.equal(await ask(files, 'web', `ip:${fresh}`, 'prod'), 'unknown');
      assert.equal(await ask(files, 'web', `ip:${old}`, 'prod'), 'allowed');
      assert.equal(await ask(files, 'web', `ip:${fresh}`, 'base'), 'allowed');
    });
  }

  it('are those that a chart writes', async () => {
    const files = {
      'Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'values.yaml': 'cidr: 10.1.0.0/16\nip: 192.0.2.60\n',
      'templates/all.yaml': [
        workload('web'),
        changed('projectcalico.org/v3/IPPool', 'pods', 'spec: {cidr: {{ .Values.cidr }}}'),
        changed(
          'v1/Service',
          'edge',
          'spec: {externalIPs: [{{ .Values.ip }}], selector: {app: web}, ports: [{port: 80}]}',
          inShop,
        ),
      ].join('\n---\n'),
    };
    assert.equal(await ask(files, 'web', 'ip:10.1.0.1', '.'), 'unknown');
    assert.equal(await ask(files, 'web', 'ip:192.0.2.60', '.'), 'unknown');
    assert.equal(await ask(files, 'web', 'ip:192.0.2.61', '.'), 'allowed');
  });
});
