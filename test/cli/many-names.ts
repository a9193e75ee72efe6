/** A workspace in which objects of several scopes refer to each other by name: nearly every change of a name concerns another file. */

const workload = (name: string, uses: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      serviceAccountName: ${name}
      containers:
      - name: main
        envFrom: [{configMapRef: {name: ${uses}}}]
`;

const named = (kind: string, name: string, namespace = 'shop') => `apiVersion: v1
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${namespace}
`;

const scaler = (target: string) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${target}
  namespace: shop
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${target}}
  maxReplicas: 3
`;

const namespace = (name: string) => `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
`;

const objects = (...texts: readonly string[]) => texts.join('---\n');

/** The files by path. */
export const manyNames: Readonly<Record<string, string>> = {
  '.selector-lens.yaml': 'rules: {unused-object: information, namespace-per-version: information}\n',
  'one/web.yaml': objects(workload('web', 'web'), named('ServiceAccount', 'web')),
  'one/names.yaml': objects(named('ConfigMap', 'web'), named('ConfigMap', 'api'), namespace('shop')),
  'one/scaler.yaml': scaler('webb'),
  'old/parts/webb.yaml': workload('webb', 'web'),
  'kinds/scaler.yaml': `${scaler('state').replace('kind: Deployment', 'kind: StatefulSet')}---
${workload('state', 'web')}`,
  'old/parts/state.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: state
  namespace: shop
spec:
  selector: {matchLabels: {app: old}}
  template: {metadata: {labels: {app: old}}}
`,
  'two/api.yaml': objects(workload('api', 'webs'), named('ServiceAccount', 'apis')),
  'two/names.yaml': objects(named('ConfigMap', 'shop'), named('ServiceAccount', 'default', 'default')),
  'far/away/service.yaml': `${named('Service', 'web', 'shops')}spec: {selector: {app: web}}\n`,
  'more/parts/state.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: api
  namespace: shop
spec:
  serviceName: apis
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
  volumeClaimTemplates: [{metadata: {name: data}}]
`,
  'more/parts/claim.yaml': objects(named('PersistentVolumeClaim', 'data-api-0'), named('ConfigMap', 'other')),
  'more/parts/calls.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: calls
  namespace: shop
data:
  url: http://webb.shop.svc.cluster.local/
`,
  'versions/first/shop.yaml': objects(namespace('shop-v1'), named('Service', 'web', 'shop-v1')),
  'old/versions/shop.yaml': objects(namespace('shop-v2'), named('Service', 'api', 'shop-v2')),
  'versions/near.yaml': named('ConfigMap', 'web', 'shopp'),
  'base/kustomization.yaml': `resources: [web.yaml, names.yaml]
configMapGenerator:
- name: web
  literals: [a=b]
`,
  'base/web.yaml': workload('web', 'web'),
  'base/names.yaml': objects(named('ServiceAccount', 'web'), named('Secret', 'web')),
  'prod/kustomization.yaml': 'namePrefix: prod-\nresources: [../base, scaler.yaml]\n',
  'prod/scaler.yaml': scaler('web'),
  'dev/kustomization.yaml': 'resources: [../base, api.yaml]\n',
  'dev/api.yaml': objects(workload('api', 'webs'), named('ConfigMap', 'api')),
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'name: web\n',
  'chart/templates/web.yaml': objects(
    workload('web', '{{ .Values.name }}'),
    named('ConfigMap', '{{ .Release.Name }}-web'),
  ),
  'chart/templates/names.yaml': objects(named('ConfigMap', 'web'), named('ServiceAccount', 'web')),
};
