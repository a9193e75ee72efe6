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

const cluster = (name: string, listed: string): Readonly<Record<string, string>> => ({
  [`clusters/${name}/kustomization.yaml`]: `resources: [${listed}]\n`,
  [`clusters/${name}/root.yaml`]: flux('flux-system', `path: ./clusters/${name}`),
});

const fromSettings = 'postBuild: {substituteFrom: [{kind: ConfigMap, name: web}]}';
const settings = (data: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: flux-system}
data: {${data}}
`;

/** Flux Kustomizations and HelmReleases of several clusters, which have different ConfigMaps with the same name. */
export const manyClusterVariables: Readonly<Record<string, string>> = {
  ...cluster('a', 'root.yaml, shop.yaml, ../base, settings.yaml'),
  'clusters/a/shop.yaml': flux('shop', `path: ./shop, ${fromSettings}`),
  'clusters/a/settings.yaml': settings('tier: front, values: "app: web"'),
  ...cluster('b', 'root.yaml, shop.yaml, ../base, more.yaml, generated'),
  'clusters/b/shop.yaml': flux('shop', `path: ./shop, ${fromSettings}`),
  'clusters/b/more.yaml': settings('tier: api, values: "app: api"').replace('web', 'api'),
  'clusters/b/generated/kustomization.yaml': `namespace: flux-system
generatorOptions: {disableNameSuffixHash: true}
configMapGenerator: [{name: web, literals: [tier=web]}]
`,
  ...cluster('c', 'root.yaml, shop.yaml, shared.yaml'),
  'clusters/c/shop.yaml': flux('shop', `path: ./shop, ${fromSettings.replace('web', 'web, optional: true')}`),
  'clusters/c/shared.yaml': flux('shared', 'path: ./shared'),
  'clusters/base/kustomization.yaml': 'resources: [shared.yaml]\n',
  'clusters/base/shared.yaml': flux('shared', 'path: ./shared'),
  'shared/kustomization.yaml': 'resources: [bank.yaml, release.yaml]\n',
  'shared/bank.yaml': flux('bank', `path: ./bank, ${fromSettings}`),
  'shared/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: flux-system}
spec:
  targetNamespace: shop
  chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: flux-system}}}
  valuesFrom: [{kind: ConfigMap, name: web, valuesKey: values, optional: true}]
`,
  'plain/settings.yaml': settings('tier: red').replace('web', 'api'),
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'app: webs\n',
  'chart/templates/service.yaml': service('chart', 'app: chart', 'app: {{ .Values.app }}'),
  'shop/web.yaml': pods('web', `app: web, tier: "\${tier}"`, inShop),
  'shop/service.yaml': service('web', 'team: red', 'tier: front', inShop),
  'bank/api.yaml': pods('api', `app: api, tier: "\${tier}"`, inShop),
  'bank/service.yaml': service('api', 'team: red', `tier: "\${tier}", app: api`, inShop),
};
