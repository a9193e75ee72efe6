/** Workspaces of two clusters whose GitOps objects build different folders, namespaces and overlays. */

import fc from 'fast-check';

/** A GitOps object. */
interface Applied {
  /** The folder that the GitOps object builds; undefined if the GitOps object does not exist. */
  readonly folder: string | undefined;
  /** The file that defines the GitOps object. */
  readonly file: string;
  readonly namespace: string;
}

/** The structure of a workspace. */
export interface Structure {
  readonly prodShop: Applied;
  readonly prodRules: Applied;
  readonly devShop: Applied;
  readonly devRules: Applied;
  /** The files of the shop that its kustomization lists. */
  readonly listed: readonly string[];
  /** The files of the shop that exist; its kustomization lists only these. */
  readonly existing: readonly string[];
  readonly label: string;
  /** The label that the staging overlay of the shop gives to pods. */
  readonly patch: string;
  /** The file that contains the monitor, in the folder of plain manifests. */
  readonly monitorFile: string;
  /** The folders of an overlay of the shop, which keeps its name because `diff` lists the matches of a renamed overlay as new, and of plain manifests, that no GitOps object applies; undefined if they do not exist. */
  readonly overlay: string | undefined;
  readonly plain: string | undefined;
}

const flux = (name: string, { folder, namespace }: Applied) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${folder}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}${namespace === '' ? '' : `, targetNamespace: ${namespace}`}}
`;

const argo = (name: string, { folder, namespace }: Applied) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {namespace: ${namespace || 'shop'}, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/all, path: ${folder}}
`;

const shopFiles = ['web.yaml', 'service.yaml', 'budget.yaml'];

const shop = (label: string): ReadonlyMap<string, string> =>
  new Map([
    [
      'web.yaml',
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {name: web}}
  template: {metadata: {labels: {name: web, app: ${label}}}, spec: {containers: [{name: web, image: web}]}}
`,
    ],
    [
      'service.yaml',
      `apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: ${label}}}
spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
`,
    ],
    [
      'budget.yaml',
      `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`,
    ],
  ]);

const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: all, namespace: shop}
spec: {podSelector: {matchExpressions: [{key: app, operator: Exists}]}, policyTypes: [Ingress]}
---
apiVersion: v1
kind: Pod
metadata: {name: api, namespace: shop, labels: {app: api}}
`;

const monitor = `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: all, namespace: bank}
spec: {selector: {matchLabels: {app: web}}, namespaceSelector: {matchNames: [shop]}, endpoints: [{port: http}]}
`;

const cache = `apiVersion: v1
kind: Service
metadata: {name: cache, namespace: shop}
spec: {selector: {app: cache}, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Pod
metadata: {name: cache, namespace: shop, labels: {app: cache}}
`;

function clusterFiles(
  cluster: string,
  applied: ReadonlyMap<string, Applied>,
  isArgo: boolean,
): readonly (readonly [path: string, text: string])[] {
  const existing = [...applied].filter(([, { folder }]) => folder !== undefined);
  const files = existing.map(([name, each]) => [`${name}-${each.file}`, (isArgo ? argo : flux)(name, each)] as const);
  return [
    [`clusters/${cluster}/kustomization.yaml`, `resources: [${files.map(([file]) => file).join(', ')}]\n`],
    ...files.map(([file, text]) => [`clusters/${cluster}/${file}`, text] as const),
  ];
}

/** Returns the files of a workspace. Argo CD or Flux applies them. */
export function filesOfStructure(structure: Structure, isArgo: boolean): ReadonlyMap<string, string> {
  const { prodShop, prodRules, devShop, devRules, existing, label, patch, monitorFile, overlay, plain } = structure;
  const listed = structure.listed.filter((each) => existing.includes(each));
  const patches = `[{target: {kind: Deployment}, patch: "[{op: add, path: /spec/template/metadata/labels/app, value: ${patch}}]"}]`;
  const manifests = [...shop(label)].filter(([name]) => existing.includes(name));
  return new Map([
    ...clusterFiles('prod', new Map(Object.entries({ shop: prodShop, rules: prodRules })), isArgo),
    ...clusterFiles('dev', new Map(Object.entries({ shop: devShop, rules: devRules })), isArgo),
    ...manifests.map(([name, text]) => [`shop/base/${name}`, text] as const),
    ['shop/base/kustomization.yaml', `resources: [${listed.join(', ')}]\n`],
    ['shop/staging/kustomization.yaml', `resources: [../base]\npatches: ${patches}\n`],
    ['shop/bank/kustomization.yaml', 'resources: [../base]\nnamespace: bank\n'],
    ['rules/plain/policy.yaml', policy],
    [`rules/plain/${monitorFile}`, monitor],
    ['rules/built/policy.yaml', policy],
    ['rules/built/monitor.yaml', monitor],
    ['rules/built/kustomization.yaml', 'resources: [policy.yaml, monitor.yaml]\n'],
    ...(overlay === undefined
      ? []
      : [[`${overlay}/kustomization.yaml`, 'resources: [../base]\nnamespace: shop\n'] as const]),
    ...(plain === undefined ? [] : [[`${plain}/cache.yaml`, cache] as const]),
  ]);
}

const applied = (...folders: readonly (string | undefined)[]): fc.Arbitrary<Applied> =>
  fc.record({
    folder: fc.constantFrom(...folders),
    file: fc.constantFrom('one.yaml', 'one.yaml', 'two.yaml'),
    namespace: fc.constantFrom('shop', 'shop', 'bank', ''),
  });

const shops = ['shop/base', 'shop/base', 'shop/staging', 'shop/bank', undefined];
const rules = ['rules/plain', 'rules/built', undefined];

/** Any structure. */
export const structures: fc.Arbitrary<Structure> = fc.record({
  prodShop: applied(...shops),
  prodRules: applied(...rules),
  devShop: applied(...shops),
  devRules: applied(...rules),
  listed: fc.oneof({ weight: 3, arbitrary: fc.constant(shopFiles) }, fc.subarray(shopFiles, { minLength: 1 })),
  existing: fc.oneof({ weight: 3, arbitrary: fc.constant(shopFiles) }, fc.subarray(shopFiles, { minLength: 1 })),
  label: fc.constantFrom('web', 'web', 'api'),
  patch: fc.constantFrom('web', 'api'),
  monitorFile: fc.constantFrom('monitor.yaml', 'monitors.yaml'),
  overlay: fc.constantFrom(undefined, 'shop/one'),
  plain: fc.constantFrom(undefined, 'one', 'two'),
});
