/** The examples of the playground. */

import { filesIn, type Panel, type PlaygroundFile, type PlaygroundState } from './model.ts';

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly state: PlaygroundState;
}

function workload(name: string, labels: string, container = 'nginx'): string {
  const indented = (spaces: number) => labels.split('\n').join(`\n${' '.repeat(spaces)}`);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  selector:
    matchLabels:
      ${indented(6)}
  template:
    metadata:
      labels:
        ${indented(8)}
    spec:
      containers:
        - name: ${name}
          image: ${container}
`;
}

const typo = `# The Service selects no pods, because of one letter.
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: webb
  ports:
    - port: 80
---
${workload('web', 'app: web\ntier: front').replace('  name: web\n', '  name: web\n  labels:\n    version: 1.10\n')}---
${workload('admin', 'app: admin\ntier: front')}`;

const overlay = `==> overlays/prod/kustomization.yaml <==
# The patch changes a label of the pods, but not the selector of the Service.
resources:
  - ../../base
patches:
  - target:
      kind: Deployment
      name: web
    patch: |
      - op: replace
        path: /spec/template/metadata/labels/app
        value: web-prod
      - op: replace
        path: /spec/selector/matchLabels/app
        value: web-prod
==> overlays/dev/kustomization.yaml <==
namePrefix: dev-
resources:
  - ../../base
==> base/kustomization.yaml <==
resources:
  - service.yaml
  - deployment.yaml
labels:
  - pairs:
      team: blue
==> base/service.yaml <==
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - port: 80
==> base/deployment.yaml <==
${workload('web', 'app: web')}`;

const chart = `==> shop/templates/service.yaml <==
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-web
spec:
  selector:
    app.kubernetes.io/name: {{ .Values.name }}
    app.kubernetes.io/component: {{ .Values.web.component }}
  ports:
    - port: 80
==> shop/templates/deployment.yaml <==
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
spec:
  selector:
    matchLabels: {{- include "shop.labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "shop.labels" . | nindent 8 }}
    spec:
      containers:
        - name: web
          image: nginx
==> shop/templates/_helpers.tpl <==
{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ .Values.name }}
app.kubernetes.io/component: web
{{- end }}
==> shop/values.yaml <==
name: shop
web:
  component: web
==> shop/values-prod.yaml <==
# With this file, the selector of the Service and the labels of the pods differ.
web:
  component: front
==> shop/Chart.yaml <==
apiVersion: v2
name: shop
version: 1.0.0
`;

const policies = `==> policies.yaml <==
# The front end may connect to the back end, and the back end to the database.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: back
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app: back
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector: {}
        - podSelector:
            matchLabels:
              app: front
      ports:
        - port: 8080
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: database
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app: database
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app: back
      ports:
        - port: 5432
==> workloads.yaml <==
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
${['front', 'back', 'database']
  .map((name) => workload(name, `app: ${name}`).replace(`  name: ${name}\n`, `  name: ${name}\n  namespace: shop\n`))
  .join('---\n')}`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  selector:
    app: web
  ports:
    - port: 80
`;
const web = workload('web', 'app: web').replace('  name: web\n', '  name: web\n  namespace: shop\n');
const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
  namespace: shop
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: web
`;

const reviewed: readonly PlaygroundFile[] = [
  { path: 'deployment.yaml', text: web.replaceAll('app: web', 'app: website'), before: web },
  { path: 'service.yaml', text: service },
  { path: 'budget.yaml', text: budget },
];

function stateOf(text: string, open: string, panel: Panel, selector?: string): PlaygroundState {
  return { files: filesIn(text), open, panel, ...(selector !== undefined && { selector }) };
}

export const examples: readonly [Example, ...Example[]] = [
  { name: 'typo', title: 'A typo', state: stateOf(typo, 'manifests.yaml', 'matches', 'app=web,tier=front') },
  { name: 'overlay', title: 'An overlay', state: stateOf(overlay, 'base/service.yaml', 'matches') },
  { name: 'chart', title: 'A chart', state: stateOf(chart, 'shop/templates/service.yaml', 'matches') },
  { name: 'policies', title: 'Network policies', state: stateOf(policies, 'policies.yaml', 'map') },
  {
    name: 'review',
    title: "A pull request's review",
    state: { files: reviewed, open: 'deployment.yaml', panel: 'review' },
  },
];
