/** A workspace with a scope of every kind, each with a fault, for tests of paths on the command line. */

const deployment = (name: string, app: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${app}
spec:
  selector:
    matchLabels:
      app: ${app}
  template:
    metadata:
      labels:
        app: ${app}${more}
`;

const service = (name: string, app: string) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  selector:
    app: ${app}
`;

const policy = (name: string, app: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchLabels:
      app: ${app}
`;

/** A label that no API server accepts: a finding that depends only on its own file. */
const config = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  labels:
    owner: Team ${name}
`;

/** The files by path in the repository. */
export const pathWorkspace: Readonly<Record<string, string>> = {
  // One scope of plain manifests: the root and the folders in it.
  'ledger.yaml': deployment('ledger', 'ledgers'),
  'ledger-config.yaml': config('ledger'),
  'pol/np.yaml': policy('ledger', 'ledger'),
  'pol/svc.yaml': service('ledger', 'ledgerz'),
  // Overlays of a base, and a component that one of them includes.
  'kustomize/base/kustomization.yaml': 'resources: [web.yaml, service.yaml, config.yaml]\n',
  'kustomize/base/web.yaml': deployment('web', 'website'),
  'kustomize/base/service.yaml': service('web', 'website'),
  'kustomize/base/config.yaml': config('base'),
  'kustomize/overlays/dev/kustomization.yaml': 'resources: [../../base]\nnamePrefix: dev-\n',
  'kustomize/overlays/prod/kustomization.yaml':
    'resources: [../../base, extra.yaml]\nnamespace: prod\ncomponents: [../../components/canary]\npatches: [{path: patch.yaml}]\nconfigMapGenerator: [{name: settings, files: [settings.properties]}]\n',
  'kustomize/overlays/prod/patch.yaml': service('web', 'websit').replace('  labels:\n    app: web\n', ''),
  'kustomize/overlays/prod/extra.yaml': config('extra'),
  'kustomize/overlays/prod/settings.properties': 'color=blue\n',
  'kustomize/components/canary/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [canary.yaml]\npatches: [{path: tag.yaml}]\n',
  'kustomize/components/canary/canary.yaml': service('canary', 'websites'),
  'kustomize/components/canary/tag.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {owner: "Team Canary"}}\n',
  // A chart with a subchart.
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': 'app: basket\n',
  'charts/shop/templates/_helpers.tpl': '{{- define "shop.app" -}}basket{{- end }}\n',
  'charts/shop/templates/basket.yaml': deployment('basket', '{{ include "shop.app" . }}'),
  'charts/shop/templates/service.yaml': service('basket', 'baskets'),
  'charts/shop/templates/config.yaml': config('shop'),
  'charts/shop/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/shop/charts/db/values.yaml': 'app: database\n',
  'charts/shop/charts/db/templates/db.yaml': deployment('db', 'database'),
  'charts/shop/charts/db/templates/service.yaml': service('db', 'databases'),
  // A declared scope.
  'team/.selector-lens.yaml': 'scopes:\n- {name: cart, paths: [front/, back/]}\n',
  'team/front/cart.yaml': deployment('cart', 'carting'),
  'team/back/service.yaml': service('cart', 'cartings'),
  // A file that is not related to Kubernetes.
  'docs/notes.yaml': 'a: b\n',
};
