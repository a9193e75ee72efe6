/** Workspaces in which Argo CD and Flux apply plain folders, kustomizations and charts to shared clusters: many edits concern what other GitOps objects apply. */

const pods = (name: string, labels: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  selector:
    matchLabels: {${labels}}
  template:
    metadata: {labels: {${labels}}}
    spec: {serviceAccountName: ${name}, containers: [{name: main, ports: [{name: http, containerPort: 80}]}]}
`;

const service = (name: string, selector: string, more = '') => `apiVersion: v1
kind: Service
metadata: {name: ${name}, labels: {part: ${name}}${more}}
spec:
  selector: {${selector}}
  ports: [{name: http, port: 80}]
`;

const monitor = (labels: string, namespace: string) => `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: all, namespace: monitoring}
spec: {namespaceSelector: {matchNames: [${namespace}]}, selector: {matchLabels: {${labels}}}, endpoints: [{port: http}]}
`;

const policy = (app: string, namespace: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${app}, namespace: ${namespace}}
spec: {podSelector: {matchLabels: {app: ${app}}}, ingress: []}
`;

const budget = (app: string, more: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${app}${more}}
spec: {minAvailable: 1, selector: {matchLabels: {app: ${app}}}}
`;

const settings = (name: string, data: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}${more}}
data: ${data}
`;

const named = (kind: string, name: string, more = '') => `apiVersion: v1
kind: ${kind}
metadata: {name: ${name}${more}}
`;

const flux = (name: string, spec: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;

const application = (name: string, path: string, namespace: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {namespace: ${namespace}, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/x, path: ${path}}
`;

const inShop = ', namespace: shop';
const objects = (...texts: readonly string[]) => texts.join('---\n');

/** Applications of one cluster, and an ApplicationSet. */
export const manyApplications: Readonly<Record<string, string>> = {
  'argocd/web.yaml': application('web', 'apps/web', 'shop'),
  'argocd/api.yaml': application('api', 'apps/api', 'shop'),
  'argocd/monitoring.yaml': application('monitoring', 'monitoring', 'monitoring'),
  'argocd/missing.yaml': application('missing', 'apps/extra', 'shop'),
  'argocd/again.yaml': application('again', 'apps/api', 'shop'),
  'argocd/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{git: {repoURL: https://example.com/x, directories: [{path: plain/*}]}}]
  template:
    metadata: {name: '{{path.basename}}'}
    spec:
      project: default
      destination: {namespace: shop, server: https://kubernetes.default.svc}
      source: {repoURL: https://example.com/x, path: '{{path}}'}
`,
  'apps/base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
  'apps/base/web.yaml': pods('web', 'app: web'),
  'apps/base/service.yaml': service('web', 'app: web'),
  'apps/web/kustomization.yaml': 'namespace: shop\nresources: [../base, policy.yaml, checkout.yaml]\n',
  'apps/web/policy.yaml': policy('webs', 'shop'),
  'apps/web/extra.yaml': named('ServiceAccount', 'web', inShop),
  'apps/api/api.yaml': objects(pods('api', 'app: api', inShop), service('api', 'app: apis', inShop)),
  'apps/api/names.yaml': objects(named('ServiceAccount', 'api', inShop), settings('api', '{a: b}', inShop)),
  'monitoring/monitor.yaml': monitor('part: chekcout', 'shop'),
  'monitoring/same.yaml': policy('chekcout', 'shop'),
  'apps/web/checkout.yaml': objects(
    pods('checkout', 'app: checkout', inShop),
    service('checkout', 'app: checkout', inShop),
  ),
  'monitoring/service.yaml': service('monitor', 'app: apii', ', namespace: monitoring'),
  'plain/one/web.yaml': pods('one', 'app: one', inShop),
  'plain/two/service.yaml': service('one', 'app: one', inShop),
  'plain/two/web.yaml': pods('two', 'app: two', inShop),
  'monitoring/budgets.yaml': objects(budget('web', inShop), budget('checkout', inShop)),
  'plain/one/budgets.yaml': objects(
    budget('checkout', inShop).replace('name: checkout', 'name: one'),
    budget('two', ''),
  ),
  'plain/two/again.yaml': pods('again', 'app: web', inShop),
  'other/web.yaml': pods('other', 'app: apis', inShop),
  'other/deep/service.yaml': service('other', 'app: others'),
};

/** Flux Kustomizations of one cluster with variables and a HelmRelease. */
export const manyFluxes: Readonly<Record<string, string>> = {
  'clusters/dev/flux-system/sync.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/x}
---
${flux('flux-system', 'path: ./clusters/dev')}`,
  'clusters/dev/shop.yaml': flux('shop', 'path: ./shop, targetNamespace: shop'),
  'clusters/dev/monitoring.yaml': flux('monitoring', 'path: ./monitoring, dependsOn: [{name: shops}]'),
  'clusters/dev/bank.yaml': flux('bank', 'path: ./bank, postBuild: {substituteFrom: [{kind: ConfigMap, name: team}]}'),
  'clusters/dev/team.yaml': settings('team', '{TEAM: red}', ', namespace: flux-system'),
  'clusters/dev/missing.yaml': flux('missing', 'path: ./extra'),
  'clusters/dev/twice.yaml': flux('twice', 'path: ./bank, targetNamespace: bank'),
  'settings/team.yaml': settings('teams', '{TEAMS: red}', ', namespace: flux-system'),
  'shop/kustomization.yaml': 'resources: [../base, service.yaml, checkout.yaml]\n',
  'shop/service.yaml': service('shop', 'app: shops'),
  'shop/checkout.yaml': objects(
    pods('checkout', 'app: checkout', inShop),
    service('checkout', 'app: checkout', inShop),
  ),
  'shop/unlisted.yaml': service('unlisted', 'app: web'),
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'base/web.yaml': objects(pods('web', 'app: web'), service('web', 'app: webs')),
  'monitoring/monitor.yaml': monitor('part: chekcout', 'shop'),
  'monitoring/policy.yaml': policy('web', 'shops'),
  'monitoring/selects.yaml': policy('chekcout', 'shop'),
  'bank/web.yaml': objects(pods('bank', 'app: bank', ', namespace: bank'), policy('bank', 'bank')),
  'bank/service.yaml': service('bank', `app: "\${TEAM}", team: "\${TEAMS}"`, ', namespace: bank'),
  'bank/budget.yaml': budget('webs', inShop),
  'monitoring/budgets.yaml': objects(budget('web', inShop), budget('checkout', inShop)),
  'monitoring/again.yaml': pods('again', 'app: web', inShop),
  'bank/deep/names.yaml': named('ServiceAccount', 'banks', ', namespace: bank'),
  'alone/web.yaml': pods('alone', 'app: shops', inShop),
};
