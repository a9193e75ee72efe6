/** Workspaces of GitOps objects whose selectors match objects of other GitOps objects, in two clusters with the same names. */

import fc from 'fast-check';

/** The varying parts of a workspace. */
export interface Choices {
  /** The GitOps objects of the first cluster that exist. */
  readonly applied: readonly string[];
  /** The folder that contains the web server. */
  readonly home: string;
  readonly labels: string;
  readonly selector: string;
  readonly namespace: string;
  readonly zone: string;
  readonly reach: string;
  /** The patch of the platform. */
  readonly patch: string;
  /** Whether a kustomization has a syntax error. */
  readonly isBroken: boolean;
}

const flux = (name: string, cluster: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${cluster}/${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}
`;

const argo = (name: string, cluster: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/all, path: ${cluster}/${name}}
`;

const web = ({ labels, namespace }: Choices) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  selector: {matchLabels: {name: web}}
  template: {metadata: {labels: {name: web, ${labels}}}, spec: {containers: [{name: web, image: web}]}}
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {${labels}}}
spec: {selector: {app: api}, ports: [{name: http, port: 80}]}
`;

const policies = ({ selector, reach }: Choices) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shop, namespace: shop}
spec: {podSelector: ${selector}, policyTypes: [Ingress]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: zone, namespace: bank}
spec:
  podSelector: {}
  ingress: [{from: [{namespaceSelector: {matchLabels: {zone: core}}, podSelector: {matchLabels: {app: web}}}]}]
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: all, namespace: bank}
spec: {selector: {matchLabels: {app: web}}, namespaceSelector: ${reach}, endpoints: [{port: http}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`;

const api = `apiVersion: v1
kind: Pod
metadata: {name: api, namespace: shop, labels: {app: api}}
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop, labels: {app: web}}
spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
`;

const namespaces = ({ zone }: Choices) => `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {zone: ${zone}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: bank, labels: {zone: core}}
`;

const names = ['platform', 'ledger', 'books', 'namespaces'];

function clusterFiles(
  cluster: string,
  choices: Choices,
  isArgo: boolean,
): readonly (readonly [path: string, text: string])[] {
  const { applied, home, patch, isBroken } = choices;
  const own = (name: string) => (home === name ? web(choices) : '');
  const kustomization = (more: string) => `resources: [all.yaml]\n${more}`;
  return [
    [`clusters/${cluster}/kustomization.yaml`, `resources: [${applied.map((name) => `${name}.yaml`).join(', ')}]\n`],
    ...applied.map((name) => [`clusters/${cluster}/${name}.yaml`, (isArgo ? argo : flux)(name, cluster)] as const),
    [`${cluster}/platform/kustomization.yaml`, isBroken ? 'resources: [all.yaml\n' : kustomization(patch)],
    [`${cluster}/platform/all.yaml`, `${policies(choices)}${own('platform')}`],
    [`${cluster}/ledger/kustomization.yaml`, kustomization('namespace: shop\n')],
    [`${cluster}/ledger/all.yaml`, `${api}${own('ledger')}`],
    [`${cluster}/books/all.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: books}\n${own('books')}`],
    [`${cluster}/namespaces/all.yaml`, namespaces(choices)],
  ];
}

/** Returns the files of a workspace with two clusters, by path. Argo CD or Flux applies them. */
export function filesOf(prod: Choices, dev: Choices, isArgo = false): ReadonlyMap<string, string> {
  return new Map([...clusterFiles('prod', prod, isArgo), ...clusterFiles('dev', dev, isArgo)]);
}

export const usual: Choices = {
  applied: names,
  home: 'ledger',
  labels: 'app: web',
  selector: '{matchLabels: {app: web}}',
  namespace: 'shop',
  zone: 'core',
  reach: '{matchNames: [shop]}',
  patch: '',
  isBroken: false,
};

const patches = [
  '',
  'patches: [{target: {kind: ServiceMonitor}, patch: "[{op: add, path: /metadata/labels, value: {a: b}}]"}]\n',
  'patches: [{target: {kind: ServiceMonitor}, patch: "[{op: replace, path: /spec/namespaceSelector, value: {any: true}}]"}]\n',
  'labels: [{pairs: {app: web}, includeTemplates: true}]\n',
];

/** Any choices; most of them are the usual ones. */
export const choices: fc.Arbitrary<Choices> = fc.record({
  applied: fc.oneof({ weight: 6, arbitrary: fc.constant(names) }, { weight: 1, arbitrary: fc.subarray(names) }),
  home: fc.constantFrom('ledger', 'ledger', 'books', 'platform', 'nowhere'),
  labels: fc.constantFrom('app: web', 'app: web', 'app: api', 'tier: web'),
  selector: fc.constantFrom('{matchLabels: {app: web}}', '{}', '{matchLabels: {tier: web}}'),
  namespace: fc.constantFrom('shop', 'shop', 'bank'),
  zone: fc.constantFrom('core', 'core', 'edge'),
  reach: fc.constantFrom('{matchNames: [shop]}', '{matchNames: [bank]}', '{any: true}', '{}'),
  patch: fc.constantFrom(...patches),
  isBroken: fc.constantFrom(false, false, false, false, false, true),
});
