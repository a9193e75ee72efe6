/** Generates the objects of a workspace: one function for each common kind. */

import type { Random } from './generate-workspace.ts';

export interface App {
  readonly name: string;
  readonly team: string;
  readonly tier: string;
  readonly version: string;
  readonly port: number;
  /** Deployment or DaemonSet. */
  readonly kind: string;
  /** Some teams use the short key `app`, others the recommended ones. */
  readonly shortLabels: boolean;
}

const nouns = ['basket', 'catalogue', 'checkout', 'invoice', 'ledger', 'mailer', 'prices', 'search', 'stock', 'ticket'];
const tiers = ['frontend', 'backend', 'gateway', 'worker'];

/** Returns the properties of an application by its number. */
export function appOf(number: number, random: Random): App {
  return {
    name: `${nouns[random(nouns.length)]}-${number}`,
    team: `team-${random(40)}`,
    tier: tiers[random(tiers.length)] ?? 'backend',
    version: `${1 + random(4)}.${random(20)}.${random(10)}`,
    port: 8000 + random(1000),
    kind: number % 10 === 7 ? 'DaemonSet' : 'Deployment',
    shortLabels: number % 3 === 0,
  };
}

/** The labels that selectors require, one per line. */
function selected(app: App, indent: string): string {
  const lines = app.shortLabels
    ? [`app: ${app.name}`, `tier: ${app.tier}`]
    : [`app.kubernetes.io/name: ${app.name}`, `app.kubernetes.io/component: ${app.tier}`];
  return lines.map((line) => `${indent}${line}\n`).join('');
}

function labels(app: App, indent: string): string {
  const more = [
    `app.kubernetes.io/part-of: ${app.team}-suite`,
    `app.kubernetes.io/version: "${app.version}"`,
    'app.kubernetes.io/managed-by: kustomize',
    `team: ${app.team}`,
  ];
  return selected(app, indent) + more.map((line) => `${indent}${line}\n`).join('');
}

function head(app: App, apiVersion: string, kind: string, name = app.name): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  labels:\n${labels(app, '    ')}`;
}

/** Returns a Deployment or DaemonSet. */
export function workload(app: App): string {
  return `# The ${app.tier} of ${app.team}: change the image in the overlays only.
${head(app, 'apps/v1', app.kind)}  annotations:
    example.com/owner: ${app.team}@example.com
spec:
${app.kind === 'Deployment' ? '  replicas: 2\n' : ''}  selector:
    matchLabels:
${selected(app, '      ')}  template:
    metadata:
      labels:
${labels(app, '        ')}      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "${app.port}"
    spec:
      serviceAccountName: ${app.name}
      securityContext: { runAsNonRoot: true, fsGroup: 1000 }
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchLabels:
${selected(app, '                    ')}      containers:
        - name: ${app.name}
          image: registry.example.com/${app.team}/${app.name}:${app.version}
          args: ["serve", "--port=${app.port}", "--log-format=json"]
          ports:
            - name: http
              containerPort: ${app.port}
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef: { name: ${app.name}, key: database-url }
          envFrom:
            - configMapRef:
                name: ${app.name}
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 5
          livenessProbe:
            httpGet: { path: /live, port: http }
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits:
              memory: 256Mi
      nodeSelector:
        kubernetes.io/os: linux
`;
}

/** Returns a StatefulSet. */
export function statefulSet(app: App): string {
  return `${head(app, 'apps/v1', 'StatefulSet')}spec:
  serviceName: ${app.name}
  replicas: 3
  selector:
    matchLabels:
${selected(app, '      ')}  template:
    metadata:
      labels:
${labels(app, '        ')}    spec:
      containers:
        - name: redis
          image: redis:7.4
          ports:
            - containerPort: 6379
              name: redis
          volumeMounts:
            - { name: data, mountPath: /data }
  volumeClaimTemplates:
    - metadata:
        name: data
        labels:
${selected(app, '          ')}      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 1Gi
`;
}

/** Returns a Service that selects the application. */
export function service(app: App): string {
  return `${head(app, 'v1', 'Service')}spec:
  type: ClusterIP
  selector:
${selected(app, '    ')}  ports:
    - name: http
      port: 80
      targetPort: http
`;
}

/** Returns an Ingress for the Service. */
export function ingress(app: App): string {
  return `${head(app, 'networking.k8s.io/v1', 'Ingress')}  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: 8m
spec:
  ingressClassName: nginx
  rules:
    - host: ${app.name}.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: ${app.name}
                port:
                  name: http
`;
}

/** Returns a HorizontalPodAutoscaler. */
export function autoscaler(app: App): string {
  return `${head(app, 'autoscaling/v2', 'HorizontalPodAutoscaler')}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: ${app.kind}
    name: ${app.name}
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: 70 }
`;
}

/** Returns a PodDisruptionBudget. */
export function disruptionBudget(app: App): string {
  return `${head(app, 'policy/v1', 'PodDisruptionBudget')}spec:
  minAvailable: 1
  selector:
    matchLabels:
${selected(app, '      ')}`;
}

/** Returns a ServiceAccount. */
export function serviceAccount(app: App): string {
  return head(app, 'v1', 'ServiceAccount');
}

/** Returns a NetworkPolicy for the application. */
export function networkPolicy(app: App): string {
  const from = app.shortLabels ? 'tier' : 'app.kubernetes.io/component';
  return `${head(app, 'networking.k8s.io/v1', 'NetworkPolicy')}spec:
  podSelector:
    matchLabels:
${selected(app, '      ')}  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector:
            matchExpressions:
              - key: ${from}
                operator: In
                values: [frontend, gateway]
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: ingress-nginx
      ports:
        - port: ${app.port}
  egress:
    - to:
        - podSelector:
            matchLabels:
${selected({ ...app, name: `${app.name}-cache`, tier: 'cache' }, '              ')}    - to:
        - namespaceSelector: {}
          podSelector:
            matchLabels:
              k8s-app: kube-dns
      ports:
        - { port: 53, protocol: UDP }
`;
}

/** Returns a NetworkPolicy that denies all incoming connections in a namespace. */
export function denyAll(app: App): string {
  return `${head(app, 'networking.k8s.io/v1', 'NetworkPolicy', `${app.name}-deny`)}spec:
  podSelector: {}
  policyTypes:
    - Ingress
`;
}

/** Returns a ConfigMap. */
export function configMap(app: App): string {
  const settings = Array.from({ length: 12 }, (_, index) => `    setting.${index} = value of ${app.name} ${index}\n`);
  return `${head(app, 'v1', 'ConfigMap')}data:
  LOG_LEVEL: info
  FEATURE_FLAGS: "search,prices"
  application.properties: |
    # Written by hand, read by the application
${settings.join('')}    server.port = ${app.port}
  limits.json: |
    {"requests": 100, "burst": 20, "hosts": ["${app.name}.example.com"]}
`;
}

/** Returns a Secret. */
export function secret(app: App): string {
  const value = Buffer.from(`postgres://${app.name}:not-a-password@db/${app.name}`).toString('base64');
  return `${head(app, 'v1', 'Secret')}type: Opaque
data:
  database-url: ${value}
`;
}

/** Returns a Role. */
export function role(app: App): string {
  return `${head(app, 'rbac.authorization.k8s.io/v1', 'Role')}rules:
  - apiGroups: [""]
    resources: [configmaps, endpoints]
    verbs: [get, list, watch]
  - apiGroups: ["apps"]
    resources: ["deployments"]
    resourceNames: ["${app.name}"]
    verbs: ["get", "patch"]
`;
}

/** Returns a RoleBinding. */
export function roleBinding(app: App): string {
  return `${head(app, 'rbac.authorization.k8s.io/v1', 'RoleBinding')}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${app.name}
subjects:
  - kind: ServiceAccount
    name: ${app.name}
`;
}

/** Returns a CronJob. */
export function cronJob(app: App): string {
  return `${head(app, 'batch/v1', 'CronJob')}spec:
  schedule: "15 3 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        metadata:
          labels:
${labels(app, '            ')}        spec:
          restartPolicy: Never
          containers:
            - name: report
              image: registry.example.com/${app.team}/${app.name}:${app.version}
              command:
                - /bin/sh
                - -c
                - |
                  set -eu
                  for day in 1 2 3; do
                    report --day "$day" --out "/tmp/$day.csv"
                  done
              env:
                - { name: TARGET, value: "http://${app.name}/reports" }
              resources:
                requests:
                  cpu: 50m
`;
}

/** Returns a ServiceMonitor of the Prometheus Operator. */
export function serviceMonitor(app: App): string {
  return `${head(app, 'monitoring.coreos.com/v1', 'ServiceMonitor')}spec:
  selector:
    matchLabels:
${selected(app, '      ')}  endpoints:
    - port: http
      path: /metrics
      interval: 30s
`;
}

/** Returns a PrometheusRule. */
export function rules(app: App): string {
  return `${head(app, 'monitoring.coreos.com/v1', 'PrometheusRule')}spec:
  groups:
    - name: ${app.name}
      rules:
        - alert: TooManyErrors
          expr: sum(rate(http_requests_total{app="${app.name}",code=~"5.."}[5m])) > 1
          for: 10m
          labels:
            severity: page
          annotations:
            summary: "{{ $labels.app }} answers with errors"
            description: >-
              More than one request a second fails; look at the log of ${app.name}
              and at the state of its cache.
`;
}

/** Returns the kustomization of a base with its resources. */
export function baseKustomization(files: readonly string[]): string {
  const resources = files.map((file) => `  - ${file}\n`).join('');
  return `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${resources}`;
}

/** Returns the kustomization of an overlay over the base. */
export function overlayKustomization(app: App, overlay: string): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: ${app.team}-${overlay}
labels:
  - includeSelectors: false
    pairs:
      environment: ${overlay}
resources:
  - ../../base
  - extra.yaml
patches:
  - path: replicas.yaml
`;
}

/** Returns a patch of an overlay. */
export function patch(app: App, overlay: string): string {
  return `apiVersion: apps/v1
kind: ${app.kind}
metadata:
  name: ${app.name}
spec:
  template:
    metadata:
      labels:
        environment: ${overlay}
    spec:
      containers:
        - name: ${app.name}
          resources:
            limits:
              memory: ${overlay === 'production' ? '1Gi' : '384Mi'}
`;
}
