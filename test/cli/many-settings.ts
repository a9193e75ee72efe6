/** Workspaces in which kustomizations change the definitions of Flux objects and generate their variables, and Argo CD labels objects and installs charts. */

const flux = (name: string, spec: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;

const pods = (name: string, labels: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  selector:
    matchLabels: {${labels}}
  template:
    metadata: {labels: {${labels}}}
    spec: {containers: [{name: main}]}
`;

const service = (name: string, labels: string, selector: string, more = '') => `apiVersion: v1
kind: Service
metadata: {name: ${name}, labels: {${labels}}${more}}
spec:
  selector: {${selector}}
  ports: [{name: http, port: 80}]
`;

const inShop = ', namespace: shop';

/** Flux Kustomizations to which a patch adds variables, some of which a kustomization generates. */
export const manyVariables: Readonly<Record<string, string>> = {
  'clusters/dev/sync.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/x}
---
${flux('flux-system', 'path: ./clusters/dev')}`,
  'clusters/dev/kustomization.yaml': `resources: [sync.yaml, settings.yaml, shop.yaml, bank.yaml]
patches: [{path: patch.yaml, target: {kind: Kustomization, name: shop}}]
`,
  'clusters/dev/patch.yaml': `- op: add
  path: /spec/postBuild
  value: {substitute: {APP: web}, substituteFrom: [{kind: ConfigMap, name: team}, {kind: ConfigMap, name: web}]}
`,
  'clusters/dev/settings.yaml': flux('settings', 'path: ./settings, postBuild: {substitute: {TIER: front}}'),
  'clusters/dev/shop.yaml': flux('shop', 'path: ./shop'),
  'clusters/dev/bank.yaml': flux('bank', 'path: ./bank, postBuild: {substituteFrom: [{kind: ConfigMap, name: web}]}'),
  'settings/kustomization.yaml': `namespace: flux-system
resources: [web.yaml]
generatorOptions: {disableNameSuffixHash: true}
configMapGenerator: [{name: team, literals: [TEAM=red]}]
patches: [{patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: web}, data: {GROUP: red}}'}]
`,
  'settings/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: flux-system}
data: {TIER: "\${TIER}", SHOP: shop}
`,
  'shop/web.yaml': pods('web', `app: "\${APP}", team: "\${TEAM}"`, inShop),
  'shop/service.yaml': service('web', `team: "\${TEAM}", tier: "\${TIER}"`, `app: "\${APP}"`, inShop),
  'bank/web.yaml': pods('bank', `app: bank, tier: "\${TIER}"`, ', namespace: bank'),
  'bank/service.yaml': service('bank', `team: "\${TEAM}"`, `tier: front, app: "\${GROUP}"`, ', namespace: bank'),
  'alone/service.yaml': service('alone', 'app: alone', 'app: webs', inShop),
};

const application = (name: string, path: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/x, path: ${path}${more}}
`;

/** Applications whose objects Argo CD labels, and an ApplicationSet that installs charts of a registry. */
export const manyTracked: Readonly<Record<string, string>> = {
  'argocd/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd}
data: {application.resourceTrackingMethod: label}
`,
  'argocd/web.yaml': application('web', 'apps/web'),
  'argocd/chart.yaml': application('chart', 'chart', ', helm: {valueFiles: [../values/web.yaml]}'),
  'argocd/monitoring.yaml': application('monitoring', 'monitoring'),
  'argocd/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{git: {repoURL: https://example.com/x, directories: [{path: releases/*}]}}]
  template:
    metadata: {name: '{{path.basename}}'}
    spec:
      project: default
      destination: {namespace: shop, server: https://kubernetes.default.svc}
      source: {repoURL: https://charts.example.com, chart: '{{path.basename}}', targetRevision: 1.0.0}
`,
  'releases/web/values.yaml': 'a: b\n',
  'releases/api/web.yaml': pods('web', 'app: web', inShop),
  'apps/web/service.yaml': service('web', 'app.kubernetes.io/instance: shop, app: web', 'app: web', inShop),
  'apps/web/web.yaml': pods('web', 'app: web', inShop),
  'apps/web/other.yaml': pods('other', 'app.kubernetes.io/instance: red', inShop),
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'app: web\nteam: red\n',
  'chart/templates/service.yaml': service('chart', 'app: {{ .Values.team }}', 'app: {{ .Values.app }}'),
  'chart/templates/web.yaml': pods('chart', 'app: {{ .Values.app }}'),
  'values/web.yaml': 'app: webs\ntier: front\n',
  'monitoring/monitor.yaml': `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app.kubernetes.io/instance: shop}}, endpoints: [{port: http}]}
`,
  'monitoring/service.yaml': service('web', 'app: red', 'app.kubernetes.io/instance: shop', inShop),
  'monitoring/release.yaml': service('api', 'app: red', 'app.kubernetes.io/instance: api', inShop),
};
