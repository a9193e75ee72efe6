/** Workspaces without faults, in which one fault is planted at a time. */

/** The documents that every application has. */
export type Part =
  | 'workload'
  | 'service'
  | 'budget'
  | 'autoscaler'
  | 'policy'
  | 'monitor'
  | 'settings'
  | 'secret'
  | 'account'
  | 'ingress'
  | 'namespace'
  | 'readme'
  | 'overlay'
  | 'patch';

/** One application, and the one that it connects to. */
export interface App {
  readonly name: string;
  readonly peer: string;
  readonly namespace: string;
}

/** A change to one document of one application; the text is that of the whole document. */
export interface Plant {
  readonly app: string;
  readonly part: Part;
  change(text: string, app: App): string;
}

export interface WorkspaceKind {
  readonly name: string;
  readonly namespace: string;
  readonly apps: readonly string[];
  /** The file of each document. */
  fileOf(part: Part, app: string): string;
  /** Other files, by name. */
  readonly others: Readonly<Record<string, string>>;
  /** An overlay applies all documents. */
  readonly built?: true;
}

const unknownKind = `apiVersion: lab.example.com/v1
kind: Backup
metadata: {name: nightly, namespace: backups}
spec: {schedule: "0 3 * * *"}
`;

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ingress-nginx, namespace: networking}
spec: {interval: 1h}
`;

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: storage, namespace: argocd}
spec: {project: default}
`;

/** Folders of a home lab, a shop in one folder, an overlay, a chart, and applications of a company. */
export const workspaceKinds: readonly WorkspaceKind[] = [
  {
    name: 'home lab',
    namespace: 'media',
    apps: ['jellyfin', 'photoprism', 'home-assistant', 'paperless', 'vaultwarden'],
    fileOf: (part, app) => (part === 'readme' ? 'README.md' : `cluster/${app}/${part}.yaml`),
    others: { 'cluster/backup.yaml': unknownKind, 'cluster/ingress.yaml': release },
  },
  {
    name: 'shop',
    namespace: 'storefront',
    apps: ['checkout', 'catalog-service', 'recommendation', 'shipping', 'cart-redis'],
    fileOf: (part) => (part === 'readme' ? 'README.md' : `shop/${part}s.yaml`),
    others: { 'shop/database.yaml': unknownKind },
  },
  {
    name: 'overlay',
    namespace: 'payments',
    apps: ['ledger-writer', 'balances', 'transactions', 'user-profile', 'contacts'],
    fileOf: (part, app) => {
      if (part === 'readme') return 'README.md';
      return part === 'overlay' || part === 'patch' ? `overlays/prod/${kustomizeNames[part]}` : `base/${app}.yaml`;
    },
    others: {},
    built: true,
  },
  {
    name: 'chart',
    namespace: 'analytics',
    apps: ['collector', 'query-frontend', 'compactor', 'distributor', 'ruler-backend'],
    fileOf: (part, app) => (part === 'readme' ? 'README.md' : `chart/templates/${app}-${part}.yaml`),
    others: {
      'chart/Chart.yaml': 'apiVersion: v2\nname: analytics\nversion: 1.0.0\n',
      'chart/values.yaml': 'image: example.com/analytics\n',
      'chart/templates/_helpers.tpl': '{{- define "analytics.team" -}}\nteam: {{ .Values.team }}\n{{- end }}\n',
    },
  },
  {
    name: 'apps of a company',
    namespace: 'identity',
    apps: ['keycloak', 'session-store', 'directory', 'audit-trail', 'mailer-queue'],
    fileOf: (part, app) => {
      if (part === 'readme') return 'README.md';
      return part === 'policy' || part === 'budget'
        ? `identity/policies/${app}-${part}.yaml`
        : `identity/app/${app}.yaml`;
    },
    others: { 'argocd/storage.yaml': application, 'argocd/backup.yaml': unknownKind },
  },
];

const kustomizeNames = { overlay: 'kustomization.yaml', patch: 'patches.yaml' };

/** The files of a workspace; with a plant, its document is changed. */
export function filesOf(kind: WorkspaceKind, plant?: Plant): ReadonlyMap<string, string> {
  const documents = new Map<string, string[]>();
  const add = (part: Part, app: App, text: string) => {
    const isPlanted = plant?.part === part && plant.app === app.name;
    const file = kind.fileOf(part, app.name);
    documents.set(file, [...(documents.get(file) ?? []), isPlanted ? plant.change(text, app) : text]);
  };
  for (const [at, name] of kind.apps.entries()) {
    const app = { name, peer: kind.apps[(at + 1) % kind.apps.length] ?? name, namespace: kind.namespace };
    for (const part of parts) add(part, app, documentOf(part, app, kind));
    if (kind.built) add('patch', app, patchOf(app));
  }
  const first = { name: kind.apps[0] ?? '', peer: '', namespace: kind.namespace };
  add('namespace', first, namespaceOf(kind.namespace));
  if (kind.built) add('overlay', first, overlayOf(kind));
  const joined = [...documents].map(([name, texts]): [string, string] => {
    return [name, texts.join(name.endsWith('.md') ? '\n' : '---\n')];
  });
  const base = kind.built ? [['base/kustomization.yaml', baseOf(kind)] as const] : [];
  return new Map([...joined, ...base, ...Object.entries(kind.others)]);
}

const parts = [
  'workload',
  'service',
  'budget',
  'autoscaler',
  'policy',
  'monitor',
  'settings',
  'secret',
  'account',
  'ingress',
  'readme',
] as const;

function documentOf(part: (typeof parts)[number], app: App, kind: WorkspaceKind): string {
  switch (part) {
    case 'workload':
      return workload(app, kind);
    case 'service':
      return service(app);
    case 'budget':
      return budget(app);
    case 'autoscaler':
      return autoscaler(app);
    case 'policy':
      return policy(app);
    case 'monitor':
      return monitor(app);
    case 'settings':
      return settings(app);
    case 'secret':
      return secret(app);
    case 'account':
      return `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: ${app.name}-runner\n  namespace: ${app.namespace}\n`;
    case 'ingress':
      return ingress(app);
    case 'readme':
      return `# ${app.name}\n\n\`\`\`sh\nkubectl logs -n ${app.namespace} -l app.kubernetes.io/name=${app.name}\n\`\`\`\n`;
  }
}

function workload({ name, peer, namespace }: App, { name: kind }: WorkspaceKind): string {
  const more = kind === 'chart' ? '{{- include "analytics.team" . | nindent 4 }}\n' : 'team: platform\n';
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    ${more}spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
        app.kubernetes.io/part-of: ${namespace}
    spec:
      nodeSelector:
        kubernetes.io/os: linux
      affinity:
        podAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 1
              podAffinityTerm:
                topologyKey: topology.kubernetes.io/zone
                labelSelector:
                  matchLabels:
                    app.kubernetes.io/name: ${peer}
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 1
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchExpressions:
                    - {key: app.kubernetes.io/name, operator: In, values: [${name}]}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app.kubernetes.io/name: ${name}
      serviceAccountName: ${name}-runner
      containers:
        - name: main
          image: example.com/${name}:1.2.3
          ports:
            - {name: http, containerPort: 8080}
          env:
            - {name: LOG_LEVEL, valueFrom: {configMapKeyRef: {name: ${name}-settings, key: log-level}}}
            - {name: PASSWORD, valueFrom: {secretKeyRef: {name: ${name}-database, key: password}}}
`;
}

function service({ name, namespace }: App): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${name}
spec:
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - {name: http, port: 80, targetPort: http}
`;
}

function budget({ name, namespace }: App): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  minAvailable: 1
  selector:
    matchExpressions:
      - key: app.kubernetes.io/name
        operator: In
        values: [${name}]
`;
}

function autoscaler({ name, namespace }: App): string {
  return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${name}
  maxReplicas: 4
`;
}

function policy({ name, peer, namespace }: App): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: allow-${peer}
  namespace: ${namespace}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: ${namespace}
          podSelector:
            matchLabels:
              app.kubernetes.io/name: ${peer}
`.replace(`name: allow-${peer}`, `name: ${name}-allows-${peer}`);
}

function monitor({ name, namespace }: App): string {
  return `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  namespaceSelector:
    matchNames: [${namespace}]
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  endpoints:
    - {port: http}
`;
}

function settings({ name, namespace }: App): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-settings
  namespace: ${namespace}
data:
  log-level: info
`;
}

function secret({ name, namespace }: App): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}-database
  namespace: ${namespace}
stringData:
  username: ${name}
  password: example
`;
}

function ingress({ name, namespace }: App): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  rules:
    - host: ${name}.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: ${name}
                port: {number: 80}
`;
}

function namespaceOf(name: string): string {
  return `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
`;
}

function baseOf({ apps }: WorkspaceKind): string {
  return `resources:\n${apps.map((app) => `  - ${app}.yaml\n`).join('')}`;
}

function overlayOf({ apps }: WorkspaceKind): string {
  const targets = apps.map(
    (app) => `  - target: {kind: Service, name: ${app}}
    patch: |-
      - {op: add, path: /metadata/annotations, value: {stage: prod}}
`,
  );
  return `resources: [../../base]
patches:
  - path: patches.yaml
${targets.join('')}`;
}

function patchOf({ name, namespace }: App): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  replicas: 3
`;
}
