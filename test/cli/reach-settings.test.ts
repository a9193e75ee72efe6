/** Tests the answers of reach beside settings of network plugins that change what policies decide. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { runInMemory } from './memory-world.ts';
import { answerText, asked, isolating, policy, workload } from './policy-documents.ts';

const agent = workload('agent').replace('spec: {containers', 'spec: {hostNetwork: true, containers');

/** Everything isolates `db`; nothing isolates the others, except for the policy of Calico or Cilium that allows ingress of `api`. */
const shop = [workload('web'), workload('api'), workload('db'), agent, isolating];
const calico = policy(
  'projectcalico.org/v3/NetworkPolicy',
  "{selector: app == 'api', types: [Ingress], ingress: [{action: Allow}]}",
);
const cilium = policy(
  'cilium.io/v2/CiliumNetworkPolicy',
  '{endpointSelector: {matchLabels: {app: api}}, ingress: [{fromEntities: [all]}]}',
);

const felix = (spec: string, name = 'default', group = 'projectcalico.org/v3') =>
  `apiVersion: ${group}\nkind: FelixConfiguration\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

const controllers = (autoCreate: string, name = 'default') =>
  `apiVersion: projectcalico.org/v3\nkind: KubeControllersConfiguration\nmetadata: {name: ${name}}\nspec: {controllers: {node: {hostEndpoint: {autoCreate: ${autoCreate}}}}}\n`;

const config = (data: string, name = 'cilium-config') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: kube-system}\ndata: ${data}\n`;

const nodeConfig = (defaults: string) =>
  `apiVersion: cilium.io/v2\nkind: CiliumNodeConfig\nmetadata: {name: some, namespace: kube-system}\nspec: {nodeSelector: {}, defaults: ${defaults}}\n`;

const pairs = ['web api', 'web db', 'web web2', 'web agent', 'agent web'] as const;

/** The answers for the connections from web to api, which a policy of the plugin allows; to db, which a NetworkPolicy denies; to web2, which nothing isolates; and to and from agent, on the network of a node. */
async function answers(documents: readonly string[]): Promise<string> {
  const found: string[] = [];
  for (const pair of pairs) {
    const [from = '', to = ''] = pair.split(' ');
    found.push(answerText(await asked(from, to, [...shop, workload('web2'), ...documents])));
  }
  return found.join(' ');
}

describe('reach with settings of network plugins', () => {
  const unchanged = 'allowed denied allowed allowed allowed';
  for (const [settings, expected] of [
    [felix('{}'), unchanged],
    [felix('{logSeverityScreen: Debug}'), unchanged],
    [felix('{defaultEndpointToHostAction: Accept}'), unchanged],
    [felix('{defaultEndpointToHostAction: Drop}'), 'allowed denied allowed unknown allowed'],
    [felix('{defaultEndpointToHostAction: Return}'), 'allowed denied allowed unknown allowed'],
    [felix('{defaultEndpointToHostAction: Drop}', 'node.one'), 'allowed denied allowed unknown allowed'],
    [felix('{defaultEndpointToHostAction: Drop}', 'other'), unchanged],
    [
      felix('{defaultEndpointToHostAction: Drop}', 'default', 'crd.projectcalico.org/v1'),
      'allowed denied allowed unknown allowed',
    ],
    [felix('{chainInsertMode: Insert}'), unchanged],
    [felix('{chainInsertMode: Append}'), 'allowed unknown allowed allowed allowed'],
    [felix('{iptablesFilterAllowAction: Accept, iptablesFilterDenyAction: Reject}'), unchanged],
    [felix('{iptablesFilterAllowAction: Return}'), 'unknown denied unknown unknown unknown'],
    [felix('{nftablesFilterAllowAction: Return}'), 'unknown denied unknown unknown unknown'],
    [felix('{dropActionOverride: LogAndDrop}'), unchanged],
    [felix('{dropActionOverride: Accept}'), 'allowed unknown allowed allowed allowed'],
    [controllers('Disabled'), unchanged],
    [controllers('Enabled', 'other'), unchanged],
    [controllers('Enabled'), 'allowed denied allowed unknown unknown'],
  ] as const)
    it(`is ${expected} beside policies of Calico and ${settings.replaceAll('\n', ' ')}`, async () => {
      assert.equal(await answers([calico, settings]), expected);
    });

  const ofCilium = 'allowed denied allowed allowed allowed';
  for (const [data, expected] of [
    ['{enable-policy: default, policy-audit-mode: "false", enable-k8s-networkpolicy: "true", labels: ""}', ofCilium],
    ['{enable-policy: always}', 'unknown denied unknown unknown unknown'],
    ['{enable-policy: never}', 'allowed unknown allowed allowed allowed'],
    ['{policy-audit-mode: "true"}', 'allowed unknown allowed allowed allowed'],
    ['{enable-k8s-networkpolicy: "false"}', 'allowed unknown allowed allowed allowed'],
    ['{enable-cilium-network-policy: "false"}', 'unknown denied allowed allowed allowed'],
    ['{labels: "k8s:app"}', 'unknown unknown unknown unknown unknown'],
    ['{static-cnp-path: /policies}', 'unknown unknown unknown unknown unknown'],
    ['{enable-hubble: "true"}', ofCilium],
  ] as const) {
    it(`is ${expected} beside policies of Cilium and cilium-config with ${data}`, async () => {
      assert.equal(await answers([cilium, config(data)]), expected);
    });
    it(`is ${expected} beside policies of Cilium and a CiliumNodeConfig with ${data}`, async () => {
      assert.equal(await answers([cilium, nodeConfig(data)]), expected);
    });
  }

  it('names the setting, its object and its effect', async () => {
    for (const [from, to, settings, reason] of [
      [
        'web',
        'agent',
        felix('{defaultEndpointToHostAction: Drop}'),
        'FelixConfiguration default sets `defaultEndpointToHostAction`: connections of pods to their own node may be denied',
      ],
      [
        'web',
        'agent',
        controllers('Enabled'),
        'KubeControllersConfiguration default sets `autoCreate`: nodes may have a HostEndpoint, and what policies allow there is not evaluated',
      ],
      [
        'web',
        'db',
        felix('{chainInsertMode: Append}'),
        'FelixConfiguration default sets `chainInsertMode`: connections that policies deny may be allowed',
      ],
      [
        'web',
        'api',
        felix('{iptablesFilterAllowAction: Return}'),
        'FelixConfiguration default sets `iptablesFilterAllowAction`: connections that policies allow may be denied',
      ],
    ] as const) {
      const { reasons } = await asked(from, to, [...shop, calico, settings]);
      assert.deepEqual(reasons, [`unknown: ${reason}`]);
    }
    for (const [from, to, data, reason] of [
      ['web', 'api', '{enable-policy: always}', '`enable-policy`: pods that no policy isolates may be isolated'],
      [
        'web',
        'db',
        '{policy-audit-mode: "true"}',
        '`policy-audit-mode`: connections that policies deny may be allowed',
      ],
      [
        'web',
        'db',
        '{enable-k8s-networkpolicy: "no"}',
        '`enable-k8s-networkpolicy`: NetworkPolicies may have no effect',
      ],
      [
        'web',
        'api',
        '{enable-cilium-network-policy: f}',
        '`enable-cilium-network-policy`: policies of Cilium may have no effect',
      ],
      ['web', 'api', '{labels: k8s:app}', '`labels`: Cilium may ignore labels that selectors require'],
    ] as const) {
      const { reasons } = await asked(from, to, [...shop, cilium, config(data)]);
      assert.deepEqual(reasons, [`unknown: ConfigMap cilium-config sets ${reason}`]);
    }
  });

  it('is as certain beside endpoints of hosts that are created if no policy of Calico exists, because profiles allow everything', async () => {
    assert.equal(await answers([controllers('Enabled')]), unchanged);
  });

  it('is unknown what policies of Calico that endpoints of hosts may apply to what they forward allow', async () => {
    const forwarding = policy(
      'projectcalico.org/v3/GlobalNetworkPolicy',
      '{selector: has(kubernetes.io/hostname), applyOnForward: true, ingress: [{action: Deny}]}',
    );
    assert.equal(await answers([forwarding]), unchanged);
    assert.equal(await answers([forwarding, controllers('Enabled')]), 'unknown denied unknown unknown unknown');
  });

  it('evaluates settings that a kustomization changes, and those that a template determines', async () => {
    const patched = {
      'base/kustomization.yaml': 'resources: [all.yaml]\n',
      'base/all.yaml': [...shop, calico, felix('{defaultEndpointToHostAction: Accept}')].join('\n---\n'),
      'prod/kustomization.yaml': lines(`
        resources: [../base]
        patches:
        - patch: |
            apiVersion: projectcalico.org/v3
            kind: FelixConfiguration
            metadata: {name: default}
            spec: {defaultEndpointToHostAction: Drop}
      `),
      'dev/kustomization.yaml': 'resources: [../base]\n',
    };
    const ask = async (files: Readonly<Record<string, string>>, ...words: readonly string[]) => {
      const { code, out, err } = await runInMemory(
        ['reach', 'web', 'agent', '--port', '80', '--format', 'json', ...words],
        { files },
      );
      assert.equal(code, 0, err.join('\n'));
      return answerText(JSON.parse(out.join('\n')) as Parameters<typeof answerText>[0]);
    };
    assert.equal(await ask(patched, '--scope', 'prod'), 'unknown');
    assert.equal(await ask(patched, '--scope', 'dev'), 'allowed');
    const chart = (value: string) => ({
      'Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'values.yaml': 'action: Drop\n',
      'templates/all.yaml': [...shop, calico, felix(`{defaultEndpointToHostAction: ${value}}`)].join('\n---\n'),
    });
    assert.equal(await ask(chart('"{{ .Values.action }}"')), 'unknown');
    assert.equal(await ask(chart('Accept')), 'allowed');
  });

  it('evaluates settings of GitOps objects that are possibly applied to the cluster', async () => {
    const kustomization = (name: string) =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: fleet}}\n`;
    for (const settings of [felix('{defaultEndpointToHostAction: Drop}'), config('{enable-policy: always}')]) {
      const files = {
        'apps/shop.yaml': kustomization('shop'),
        'infra/network.yaml': kustomization('network'),
        'shop/all.yaml': [...shop, calico].join('\n---\n'),
        'network/settings.yaml': settings,
      };
      const { out } = await runInMemory(['reach', 'web', 'agent', '--port', '80', '--scope', 'apps/shop.yaml'], {
        files,
      });
      assert.match(out.join('\n'), /, TCP 80: unknown\n/, settings);
    }
  });

  const installing = (kind: string, spec: string, name = 'network') =>
    `apiVersion: ${kind.slice(0, kind.lastIndexOf('/'))}\nkind: ${kind.slice(kind.lastIndexOf('/') + 1)}\nmetadata: {name: ${name}, namespace: kube-system}\nspec: ${spec}\n`;
  const release = (values: string, chart = 'cilium') =>
    installing(
      'helm.toolkit.fluxcd.io/v2/HelmRelease',
      `{interval: 5m, chart: {spec: {chart: ${chart}, sourceRef: {kind: HelmRepository, name: network}}}, values: ${values}}`,
    );
  const application = (helm: string) =>
    installing(
      'argoproj.io/v1alpha1/Application',
      `{project: default, destination: {name: here, namespace: kube-system}, source: {repoURL: https://helm.example.com, chart: cilium, targetRevision: 1.19.0, helm: ${helm}}}`,
    );
  const program = (kind: string, name: string, container: string) =>
    `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: kube-system}\nspec: {selector: {matchLabels: {k8s-app: ${name}}}, template: {metadata: {labels: {k8s-app: ${name}}}, spec: {hostNetwork: true, containers: [{name: main, image: example, ${container}}]}}}\n`;
  const never = 'allowed unknown allowed allowed allowed';
  for (const [plugin, settings, expected] of [
    [cilium, release('{policyEnforcementMode: never}'), never],
    [cilium, release('{policyEnforcementMode: default, policyAuditMode: false, labels: ""}'), unchanged],
    [cilium, release('{policyAuditMode: true}'), never],
    [cilium, release('{k8sNetworkPolicy: {enabled: false}}'), never],
    [cilium, release('{extraConfig: {enable-policy: never}}'), never],
    [cilium, release('{policyEnforcementMode: never}', 'other'), unchanged],
    [cilium, application('{valuesObject: {policyEnforcementMode: never}}'), never],
    [cilium, application('{values: "policyEnforcementMode: never"}'), never],
    [cilium, application('{parameters: [{name: policyEnforcementMode, value: never}]}'), never],
    [cilium, application('{parameters: [{name: policyEnforcementMode, value: default}]}'), unchanged],
    [
      cilium,
      installing('helm.cattle.io/v1/HelmChartConfig', '{valuesContent: "policyEnforcementMode: never"}', 'rke2-cilium'),
      never,
    ],
    [cilium, installing('helm.cattle.io/v1/HelmChart', '{chart: cilium, set: {policyEnforcementMode: never}}'), never],
    [cilium, program('DaemonSet', 'cilium', 'args: [--config-dir=/tmp, --enable-policy=never]'), never],
    [
      calico,
      release('{defaultFelixConfiguration: {enabled: true, chainInsertMode: Append}}', 'tigera-operator'),
      never,
    ],
    [
      calico,
      program('DaemonSet', 'calico-node', 'env: [{name: FELIX_DEFAULTENDPOINTTOHOSTACTION, value: ACCEPT}]'),
      unchanged,
    ],
    [
      calico,
      program('DaemonSet', 'calico-node', 'env: [{name: FELIX_DEFAULTENDPOINTTOHOSTACTION, value: DROP}]'),
      'allowed denied allowed unknown allowed',
    ],
    [
      calico,
      program(
        'DaemonSet',
        'calico-node',
        'env: [{name: FELIX_CHAININSERTMODE, valueFrom: {configMapKeyRef: {name: a, key: b}}}]',
      ),
      never,
    ],
    [calico, program('DaemonSet', 'other', 'env: [{name: FELIX_CHAININSERTMODE, value: Append}]'), unchanged],
    [
      calico,
      program('Deployment', 'calico-kube-controllers', 'env: [{name: AUTO_HOST_ENDPOINTS, value: enabled}]'),
      'allowed denied allowed unknown unknown',
    ],
  ] as const)
    it(`is ${expected} beside ${settings.replaceAll('\n', ' ')}`, async () => {
      assert.equal(await answers([plugin, settings]), expected);
    });

  for (const [title, generator, documents, expected] of [
    ['a generated ConfigMap', 'literals: [enable-policy=always]', [], 'unknown'],
    ['a generated ConfigMap with other settings', 'literals: [enable-hubble=true]', [], 'allowed'],
    [
      'a merged ConfigMap',
      'behavior: merge, literals: [enable-policy=always]',
      [config('{debug: "false"}')],
      'unknown',
    ],
    [
      'a ConfigMap into which others are merged',
      'behavior: merge, literals: [debug=true]',
      [config('{enable-policy: always}')],
      'unknown',
    ],
    [
      'a replaced ConfigMap',
      'behavior: replace, literals: [debug=true]',
      [config('{enable-policy: always}')],
      'allowed',
    ],
  ] as const)
    for (const options of ['', ', options: {disableNameSuffixHash: true}'])
      it(`is ${expected} beside ${title} of a kustomization${options}`, async () => {
        const files = {
          'prod/all.yaml': [...shop, cilium, ...documents].join('\n---\n'),
          'prod/kustomization.yaml': `resources: [all.yaml]\nconfigMapGenerator:\n- {name: cilium-config, namespace: kube-system, ${generator}${options}}\n`,
        };
        const { out } = await runInMemory(['reach', 'web', 'api', '--port', '80', '--scope', 'prod'], { files });
        assert.match(out.join('\n'), new RegExp(`, TCP 80: ${expected}\n`));
        if (expected === 'unknown')
          assert.match(out.join('\n'), /unknown: ConfigMap cilium-config[^ ]* sets `enable-policy`: /);
      });

  it('ignores other ConfigMaps', async () => {
    assert.equal(await answers([cilium, config('{enable-policy: always}', 'other')]), ofCilium);
  });
});
