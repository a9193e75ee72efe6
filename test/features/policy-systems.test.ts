/** Tests that selectors of all systems have all features: hovers, lenses, completion, references, rename, graph and commands. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameLines } from '../harness/rename-lines.ts';

const web = lines(`
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: website
    namespace: shop
    labels:
      tier: front
  spec:
    selector:
      matchLabels:
        app: website
    template:
      metadata:
        labels:
          app: website
          tier: front
`);

interface System {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced?: true;
  /** The fields of `spec`, without the line of the label. */
  readonly spec: string;
  /** The label, and the place of its key in the line. */
  readonly label?: string;
  readonly keyAt?: number;
  /** A label that is not closed, such as `tier: f` and `ti`. */
  readonly typed?: { readonly key: string; readonly value: string; readonly valueAt: number };
  /** The paths of the selector in the editor and in the command line. */
  readonly path: string;
  readonly shown?: string;
}

const rules = '[{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]';
const cilium = { label: 'k8s:tier: front', keyAt: 4, typed: { key: 'k8s:ti', value: 'k8s:tier: f', valueAt: 11 } };

const systems: Readonly<Record<string, System>> = {
  Cilium: {
    apiVersion: 'cilium.io/v2',
    kind: 'CiliumNetworkPolicy',
    isNamespaced: true,
    spec: '  ingress: [{}]\n  endpointSelector:\n    matchLabels:\n      ',
    ...cilium,
    path: 'spec.endpointSelector',
  },
  'Cilium for the cluster': {
    apiVersion: 'cilium.io/v2',
    kind: 'CiliumClusterwideNetworkPolicy',
    spec: '  ingress: [{}]\n  endpointSelector:\n    matchLabels:\n      ',
    ...cilium,
    path: 'spec.endpointSelector',
  },
  Calico: {
    apiVersion: 'projectcalico.org/v3',
    kind: 'NetworkPolicy',
    isNamespaced: true,
    spec: '  ',
    label: "selector: tier == 'front'",
    keyAt: 10,
    typed: { key: 'selector: ti', value: "selector: tier == 'f'", valueAt: 20 },
    path: 'spec.selector',
  },
  'Calico for the cluster': {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'GlobalNetworkPolicy',
    spec: '  ',
    label: "selector: tier == 'front'",
    keyAt: 10,
    typed: { key: 'selector: ti', value: "selector: tier == 'f'", valueAt: 20 },
    path: 'spec.selector',
  },
  Istio: {
    apiVersion: 'security.istio.io/v1',
    kind: 'AuthorizationPolicy',
    isNamespaced: true,
    spec: '  selector:\n    matchLabels:\n      ',
    path: 'spec.selector',
  },
  Linkerd: {
    apiVersion: 'policy.linkerd.io/v1beta3',
    kind: 'Server',
    isNamespaced: true,
    spec: '  port: 80\n  podSelector:\n    matchLabels:\n      ',
    path: 'spec.podSelector',
  },
  Kyverno: {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    spec: `  rules:
    - name: a
      validate: {message: a}
      match:
        any:
          - resources:
              kinds: [Deployment]
              selector:
                matchLabels:
                  `,
    path: 'spec.rules[0].match.any[0].resources.selector',
    shown: 'spec.rules[0].match',
  },
  'Kyverno with CEL': {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    spec: `  matchConstraints:\n    resourceRules: ${rules}\n    objectSelector:\n      matchLabels:\n        `,
    path: 'spec.matchConstraints.objectSelector',
    shown: 'spec.matchConstraints',
  },
  Gatekeeper: {
    apiVersion: 'constraints.gatekeeper.sh/v1beta1',
    kind: 'K8sRequiredLabels',
    spec: '  match:\n    kinds: [{apiGroups: [apps], kinds: [Deployment]}]\n    labelSelector:\n      matchLabels:\n        ',
    path: 'spec.match.labelSelector',
    shown: 'spec.match',
  },
  'the admission of Kubernetes': {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    spec: `  matchConstraints:\n    resourceRules: ${rules}\n    objectSelector:\n      matchLabels:\n        `,
    path: 'spec.matchConstraints.objectSelector',
    shown: 'spec.matchConstraints',
  },
};

/** Returns the policy with a label, and with a mark below a column of the label. */
function policyOf({ apiVersion, kind, isNamespaced, spec }: System, label: string, at?: number): string {
  const place = isNamespaced ? ', namespace: shop' : '';
  const indentation = spec.length - spec.lastIndexOf('\n') - 1;
  const mark = at === undefined ? '' : `${' '.repeat(indentation)}#${' '.repeat(Math.max(at - 1, 0))}^ here\n`;
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: front${place}}\nspec:\n${spec}${label}\n${mark}`;
}

const opened = (policy: string) => bench(`==> web.yaml <==\n${web}\n==> policy.yaml <==\n${policy}`);

describe('selectors of policies in an editor and in commands', () => {
  for (const [name, system] of Object.entries(systems)) {
    const { kind, label = 'tier: front', keyAt = 1, path, shown = path } = system;
    const { typed = { key: 'ti', value: 'tier: f', valueAt: 7 } } = system;
    const policy = `${kind}/front`;

    it(`of ${name} show their matches`, async () => {
      const b = await opened(policyOf(system, label, keyAt));
      assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/website\]/);
      assert.match(b.lenses('policy.yaml'), /: selects Deployment\/website$/);
      assert.ok(b.lenses('policy.yaml').includes(` ${path}: `), b.lenses('policy.yaml'));
      assert.ok(b.graph('here').includes(`${policy} selects Deployment/website (${path})`), b.graph('here'));
    });

    it(`of ${name} are completed`, async () => {
      const keys = (await opened(policyOf(system, typed.key, typed.key.length))).completion('here');
      assert.ok(
        keys.some((each) => /(?:^|:|: )tier(?:: front)?$/.test(each)),
        keys.join(),
      );
      const values = (await opened(policyOf(system, typed.value, typed.valueAt))).completion('here');
      assert.deepEqual(values, [label]);
    });

    it(`of ${name} are references, and are renamed in their own spelling`, async () => {
      const b = await opened(policyOf(system, label, keyAt));
      assert.match(b.references('here'), /^policy\.yaml:\d+ .*\nweb\.yaml:7 tier: front\nweb\.yaml:16 tier: front$/);
      const edits = renameLines(b, 'here', 'layer');
      assert.ok(
        edits.some((each) => each.startsWith('web.yaml:') && each.includes('layer: front')),
        edits.join(),
      );
      assert.ok(
        edits.some((each) => each.startsWith('policy.yaml:') && each.includes(label.replace('tier', 'layer'))),
        edits.join(),
      );
    });

    it(`of ${name} are evaluated by match and who-selects`, async () => {
      const files = { 'web.yaml': web, 'policy.yaml': policyOf(system, label) };
      const matched = (await runInMemory(['match', '--object', policy], { files })).out.join('\n');
      assert.match(matched, /matches (?:the pods of )?Deployment\/website in shop/);
      const selecting = (await runInMemory(['who-selects', 'Deployment/website'], { files })).out.join('\n');
      const verb = kind === 'ValidatingAdmissionPolicy' ? 'may select it' : 'selects (?:it|its pods)';
      assert.match(selecting, new RegExp(`${policy} ${verb}: ${shown.replaceAll(/[.[\]]/g, '\\$&')}`));
    });
  }
});
