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
};

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
