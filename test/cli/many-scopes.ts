/** A workspace with scopes of every kind that use few labels: nearly every change of a label concerns another file. */

const deployment = (name: string, labels: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  selector:
    matchLabels: {${labels}}
  template:
    metadata:
      labels: {${labels}, team: red}
    spec:
      containers: [{name: main, ports: [{name: http, containerPort: 80}]}]
`;

const service = (name: string, labels: string, more = '') => `apiVersion: v1
kind: Service
metadata: {name: ${name}${more}}
spec:
  selector: {${labels}}
  ports: [{port: 80, targetPort: http}]
`;

const budget = (name: string, labels: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}}
spec:
  minAvailable: 1
  selector:
    matchLabels: {${labels}}
`;

const policy = (name: string, pods: string, namespaces: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec:
  podSelector:
    matchLabels: {${pods}}
  ingress:
  - from:
    - namespaceSelector:
        matchLabels: {${namespaces}}
      podSelector:
        matchLabels: {${pods}}
`;

const namespace = (name: string, team: string) => `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels: {team: ${team}}
`;

const inShop = ', namespace: shop';

/** The files by path. */
export const manyScopes: Readonly<Record<string, string>> = {
  '.selector-lens.yaml': 'expect: [{name: api, owner: red, that: web may reach api on 80}]\n',
  'one/web.yaml': deployment('web', 'app: web'),
  'one/service.yaml': service('web', 'app: web'),
  'two/service.yaml': service('two', 'app: web'),
  'two/red.yaml': service('red', 'team: red'),
  'two/nodes.yaml': `apiVersion: v1
kind: Pod
metadata: {name: chosen, labels: {app: api}}
spec:
  nodeSelector: {kubernetes.io/oss: linux, team: red}
`,
  'two/node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: node, labels: {team: red}}\n',
  'shop/apps/api.yaml': deployment('api', 'app: api', inShop),
  'shop/policies/policy.yaml': policy('api', 'app: api', 'team: red'),
  'shop/policies/service.yaml': service('apis', 'app: apis', inShop),
  'shop/scaler.yaml': `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: api}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: apii}
  maxReplicas: 3
`,
  'names/shop.yaml': namespace('shop', 'red'),
  'names/bank.yaml': namespace('bank', 'red'),
  'base/kustomization.yaml': 'resources: [web.yaml, budget.yaml]\n',
  'base/web.yaml': deployment('web', 'app: shop, tier: api'),
  'base/budget.yaml': budget('web', 'app: shop'),
  'parts/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
labels:
- pairs: {tier: red}
  includeTemplates: true
`,
  'prod/kustomization.yaml': `namespace: shop
resources: [../base, service.yaml, budget.yaml]
components: [../parts]
transformers: [transformer.yaml]
`,
  'prod/transformer.yaml': `apiVersion: builtin
kind: LabelTransformer
metadata: {name: labels}
labels: {team: red}
fieldSpecs:
- path: spec/template/metadata/labels
  create: true
`,
  'prod/service.yaml': service('web', 'app: shop, tier: api'),
  'prod/budget.yaml': budget('tier', 'tier: api'),
  'prod/unlisted.yaml': service('unlisted', 'app: shops'),
  'dev/kustomization.yaml': `resources: [../base, service.yaml]
components: [../parts]
patches: [{path: patch.yaml}]
labels:
- pairs: {team: web}
  includeSelectors: true
`,
  'dev/patch.yaml': `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  selector:
    matchLabels: {app: shop, tier: api}
`,
  'dev/service.yaml': service('dev', 'app: shop, team: web'),
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'labels: {app: chart}\ntier: api\n',
  'chart/templates/_helpers.tpl': '{{- define "shop.labels" }}\napp: chart\ntier: {{ .Values.tier }}\n{{- end }}\n',
  'chart/templates/web.yaml': deployment('chart', 'app: chart, tier: {{ .Values.tier }}'),
  'chart/templates/service.yaml': `apiVersion: v1
kind: Service
metadata: {name: chart}
spec:
  selector:
    {{- include "shop.labels" . | nindent 4 }}
`,
  'chart/templates/other.yaml': `apiVersion: v1
kind: Service
metadata: {name: other}
spec:
  selector:
    {{- toYaml .Values.labels | nindent 4 }}
`,
  'template.yaml': `apiVersion: template.openshift.io/v1
kind: Template
metadata: {name: shop}
objects:
- apiVersion: v1
  kind: Service
  metadata: {name: template}
  spec:
    selector: {app: api}
- apiVersion: v1
  kind: Pod
  metadata: {name: template, labels: {app: api, tier: api}}
`,
  'job.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  template:
    metadata:
      labels: {app: job}
    spec:
      containers:
      - name: main
        command: [sh, -c, "kubectl get pods -l app=webs"]
      - name: all
        command: [sh, -c, "kubectl get all -l app=apii"]
`,
  'declared/.selector-lens.yaml': `scopes:
- {name: front, paths: [front/**], with: [back]}
- {name: back, paths: [back/**]}
expect:
- {name: front, owner: red, that: Service/front selects exactly Deployment/back}
rules:
  recommended-labels: warning
`,
  'declared/front/service.yaml': service('front', 'app: front'),
  'declared/back/web.yaml': deployment('back', 'app: front'),
};
