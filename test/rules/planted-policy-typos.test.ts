/** Tests that a misspelling in a selector of each system is a warning if the near miss is unique. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';

const workloads = ['website', 'checkout', 'payments', 'inventory', 'frontend']
  .map(
    (name) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop, labels: {app: ${name}}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}, component: main}}
    spec: {containers: [{name: main, image: example.com/${name}}]}
`,
  )
  .join('---\n');

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';

/** Misspelled values and keys. */
const typos: readonly (readonly [key: string, value: string, name: string])[] = [
  ['app', 'webiste', 'website'],
  ['app', 'websit', 'website'],
  ['app', 'chekcout', 'checkout'],
  ['app', 'checkoutt', 'checkout'],
  ['app', 'payment', 'payments'],
  ['app', 'paymenst', 'payments'],
  ['app', 'inventroy', 'inventory'],
  ['app', 'invntory', 'inventory'],
  ['app', 'frontned', 'frontend'],
  ['app', 'frontendd', 'frontend'],
];

type Policy = (key: string, value: string, name: string) => string;

const policy = (apiVersion: string, kind: string, name: string, spec: string, place = ', namespace: shop') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}${place}}\n${spec}\n`;

const systems: Readonly<Record<string, Policy>> = {
  Cilium: (key, value, name) =>
    policy(
      'cilium.io/v2',
      'CiliumNetworkPolicy',
      name,
      `spec: {endpointSelector: {matchLabels: {'k8s:${key}': ${value}}}, ingress: [{}]}`,
    ),
  Calico: (key, value, name) =>
    policy('projectcalico.org/v3', 'NetworkPolicy', name, `spec: {selector: "${key} == '${value}' && has(component)"}`),
  Istio: (key, value, name) =>
    policy('security.istio.io/v1', 'AuthorizationPolicy', name, `spec: {selector: {matchLabels: {${key}: ${value}}}}`),
  Linkerd: (key, value, name) =>
    policy(
      'policy.linkerd.io/v1beta3',
      'Server',
      name,
      `spec: {podSelector: {matchLabels: {${key}: ${value}}}, port: 80}`,
    ),
  Kyverno: (key, value, name) =>
    policy(
      'kyverno.io/v1',
      'ClusterPolicy',
      name,
      `spec: {rules: [{name: a, match: {any: [{resources: {kinds: [Deployment], selector: {matchLabels: {${key}: ${value}}}}}]}, validate: {message: a}}]}`,
      '',
    ),
  Gatekeeper: (key, value, name) =>
    policy(
      'constraints.gatekeeper.sh/v1beta1',
      'K8sRequiredLabels',
      name,
      `spec: {match: {kinds: [{apiGroups: [apps], kinds: [Deployment]}], labelSelector: {matchLabels: {${key}: ${value}}}}}`,
      '',
    ),
  admission: (key, value, name) =>
    policy(
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicy',
      name,
      `spec: {failurePolicy: Fail, validations: [{expression: 'true'}], matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}], objectSelector: {matchLabels: {${key}: ${value}}}}}`,
      '',
    ),
};

describe('misspelled selectors of policies', () => {
  for (const [system, write] of Object.entries(systems)) {
    it(`of ${system} are warnings`, async () => {
      const missed: string[] = [];
      for (const [key, value, name] of typos) {
        const files = { 'all.yaml': `${namespace}---\n${workloads}---\n${write(key, value, name)}` };
        const { json } = await runInMemory(['check', '--format', 'json'], { files });
        const { diagnostics } = json as {
          readonly diagnostics: readonly { readonly rule: string; readonly severity: string }[];
        };
        const found = diagnostics.filter(({ rule }) => rule === 'selects-nothing');
        if (found.length !== 1 || found[0]?.severity !== 'warning')
          missed.push(`${value} ${JSON.stringify(diagnostics.map((d) => [d.rule, d.severity]))}`);
        // The selector without the misspelling causes no finding.
        const right = { 'all.yaml': `${namespace}---\n${workloads}---\n${write(key, name, name)}` };
        const correct = (await runInMemory(['check', '--format', 'json'], { files: right })).json as typeof json;
        const others = (correct as { readonly diagnostics: readonly { readonly rule: string }[] }).diagnostics;
        if (others.some(({ rule }) => rule === 'selects-nothing' || rule === 'selector-syntax'))
          missed.push(`right ${name}`);
      }
      assert.deepEqual(missed, []);
    });
  }
});

/** Misspelled names, which are also values of the label `team`, of namespaces. */
const ofNamespaces: readonly (readonly [value: string, name: string])[] = [
  ['monitorng', 'monitoring'],
  ['monitornig', 'monitoring'],
  ['storagee', 'storage'],
  ['storaeg', 'storage'],
  ['platfrom', 'platform'],
  ['platorm', 'platform'],
  ['databse', 'database'],
  ['databaes', 'database'],
  ['messagign', 'messaging'],
  ['mesaging', 'messaging'],
];

const namespaces = [...new Set(ofNamespaces.map(([, name]) => name))]
  .map((name) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {team: ${name}}}\n`)
  .join('---\n');

const ciliumPeer = (key: string, value: string) =>
  policy(
    'cilium.io/v2',
    'CiliumNetworkPolicy',
    'website',
    `spec: {endpointSelector: {}, ingress: [{fromEndpoints: [{matchLabels: {'${key}': ${value}}}]}]}`,
  );
const calicoSource = (source: string) =>
  policy(
    'projectcalico.org/v3',
    'NetworkPolicy',
    'website',
    `spec: {selector: all(), ingress: [{action: Allow, source: {${source}}}]}`,
  );

const peers: Readonly<Record<string, (value: string) => string>> = {
  'Cilium by their names': (value) => ciliumPeer('k8s:io.kubernetes.pod.namespace', value),
  'Cilium by their labels': (value) => ciliumPeer('k8s:io.cilium.k8s.namespace.labels.team', value),
  'Calico by their names': (value) => calicoSource(`selector: "projectcalico.org/namespace == '${value}'"`),
  'Calico by their labels': (value) =>
    calicoSource(`namespaceSelector: all(), selector: "pcns.team == '${value}' || pcns.team == 'shop'"`),
  'Calico in selectors of namespaces': (value) => calicoSource(`namespaceSelector: "team == '${value}'"`),
  'Calico for the whole cluster': (value) =>
    policy(
      'projectcalico.org/v3',
      'GlobalNetworkPolicy',
      'website',
      `spec: {namespaceSelector: "team == '${value}'"}`,
      '',
    ),
  'Cilium for the whole cluster': (value) =>
    policy(
      'cilium.io/v2',
      'CiliumClusterwideNetworkPolicy',
      'website',
      `spec: {endpointSelector: {matchLabels: {'k8s:io.cilium.k8s.namespace.labels.team': ${value}}}, ingress: [{}]}`,
      '',
    ),
  'Kyverno by their names': (value) => kyverno(`{kinds: [Deployment], namespaces: [${value}, 'shop-*']}`),
  'Kyverno by their labels': (value) =>
    kyverno(`{kinds: [Deployment], namespaceSelector: {matchLabels: {team: ${value}}}}`),
  'Gatekeeper by their names': (value) => gatekeeper(`namespaces: [${value}, 'shop-*']`),
  'Gatekeeper by their names, excluded': (value) => gatekeeper(`excludedNamespaces: [kube-system, ${value}]`),
  'Gatekeeper by their labels': (value) => gatekeeper(`namespaceSelector: {matchLabels: {team: ${value}}}`),
  'admission by their labels': (value) =>
    policy(
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicy',
      'website',
      `spec: {failurePolicy: Fail, validations: [{expression: 'true'}], matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}], namespaceSelector: {matchLabels: {team: ${value}}}}}`,
      '',
    ),
  'Istio by their names': (value) => istio(`namespaces: [${value}]`),
  'Istio in principals': (value) => istio(`principals: [cluster.local/ns/${value}/sa/default]`),
};

const kyverno = (resources: string) =>
  policy(
    'kyverno.io/v1',
    'ClusterPolicy',
    'website',
    `spec: {rules: [{name: a, match: {any: [{resources: ${resources}}]}, validate: {message: a}}]}`,
    '',
  );
const gatekeeper = (match: string) =>
  policy(
    'constraints.gatekeeper.sh/v1beta1',
    'K8sRequiredLabels',
    'website',
    `spec: {match: {kinds: [{apiGroups: [apps], kinds: [Deployment]}], ${match}}}`,
    '',
  );
const istio = (source: string) =>
  policy('security.istio.io/v1', 'AuthorizationPolicy', 'website', `spec: {rules: [{from: [{source: {${source}}}]}]}`);

/** Policies that name a workload, its service account or its Service, all of which have the same name. */
const named: Readonly<Record<string, (name: string) => string>> = {
  'Kyverno in a list': (name) => kyverno(`{kinds: [apps/v1/Deployment], names: [${name}, 'canary-*']}`),
  'Kyverno alone': (name) => kyverno(`{kinds: [Deployment], name: ${name}}`),
  Gatekeeper: (name) => gatekeeper(`name: ${name}`),
  'Istio in principals': (name) => istio(`principals: [cluster.local/ns/shop/sa/${name}]`),
  'Istio in service accounts': (name) => istio(`serviceAccounts: [shop/${name}]`),
  'Istio in hosts': (name) =>
    policy('networking.istio.io/v1', 'VirtualService', 'website', `spec: {hosts: [${name}.shop.svc.cluster.local]}`),
};

const others = ['website', 'checkout', 'payments', 'inventory', 'frontend']
  .map(
    (name) =>
      `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${name}, namespace: shop}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: shop}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`,
  )
  .join('---\n');

describe('misspelled names in policies', () => {
  for (const [system, write] of Object.entries(named)) {
    it(`of ${system} are warnings`, async () => {
      const missed: string[] = [];
      for (const [, value, name] of typos) {
        for (const [text, expected] of [
          [value, 'warning'],
          [name, ''],
          ['printer', ''],
        ] as const) {
          const files = { 'all.yaml': `${namespace}---\n${others}---\n${workloads}---\n${write(text)}` };
          const { json } = await runInMemory(['check', '--format', 'json'], { files });
          const { diagnostics } = json as {
            readonly diagnostics: readonly { readonly rule: string; readonly severity: string }[];
          };
          const found = diagnostics.filter(({ rule }) => rule === 'reference-missing');
          const severities = found.map(({ severity }) => severity).join();
          if (severities !== expected) missed.push(`${text}: ${severities}`);
        }
      }
      assert.deepEqual(missed, []);
    });
  }
});

describe('misspelled namespaces in policies', () => {
  for (const [system, write] of Object.entries(peers)) {
    it(`of ${system} are warnings`, async () => {
      for (const [value, name] of ofNamespaces) {
        for (const [text, expected] of [
          [value, ['warning']],
          [name, []],
        ] as const) {
          const files = { 'all.yaml': `${namespace}---\n${namespaces}---\n${workloads}---\n${write(text)}` };
          const { json } = await runInMemory(['check', '--format', 'json'], { files });
          const { diagnostics } = json as {
            readonly diagnostics: readonly { readonly rule: string; readonly severity: string }[];
          };
          const found = diagnostics.filter(({ rule }) => /^(?:selects-nothing|policy-label-misspelled)$/.test(rule));
          assert.deepEqual(
            found.map(({ severity }) => severity),
            expected,
            text,
          );
        }
      }
    });
  }
});
