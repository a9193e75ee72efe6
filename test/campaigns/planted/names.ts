/** Faults in names of other objects, and closed scopes in which they are planted. */

import { oneLetter, otherCase, otherNumber, otherSeparator, swapped, twoLetters } from './faults.ts';

/** A field that names an object, as the text around the name. */
export interface NameClass {
  readonly id: string;
  /** The text before the name, which occurs once in a workspace. */
  readonly before: string;
  readonly name: string;
}

/** The fields with the names in `files`. */
export const nameClasses: readonly NameClass[] = [
  { id: 'ConfigMap of a variable', before: 'configMapKeyRef: {name: ', name: 'basket-settings' },
  { id: 'ConfigMap of all variables', before: 'configMapRef: {name: ', name: 'basket-features' },
  { id: 'ConfigMap of a volume', before: 'configMap: {name: ', name: 'basket-templates' },
  { id: 'Secret of a variable', before: 'secretKeyRef: {name: ', name: 'basket-database' },
  { id: 'Secret of a volume', before: 'secretName: ', name: 'basket-certificate' },
  { id: 'Secret for images', before: 'imagePullSecrets: [{name: ', name: 'registry-credentials' },
  { id: 'ServiceAccount', before: 'serviceAccountName: ', name: 'basket-runner' },
  { id: 'claim', before: 'claimName: ', name: 'basket-pictures' },
  { id: 'Service of an Ingress', before: 'service: {name: ', name: 'basket-frontend' },
  { id: 'Service of a StatefulSet', before: 'serviceName: ', name: 'session-store' },
  { id: 'Role of a binding', before: 'kind: Role, name: ', name: 'basket-reader' },
  { id: 'subject of a binding', before: 'kind: ServiceAccount, name: ', name: 'pipeline-deployer' },
];

const mistakes: readonly ((word: string, at: number) => string)[] = [
  swapped,
  oneLetter,
  twoLetters,
  otherCase,
  otherSeparator,
  otherNumber,
];

/** The kinds of closed scopes. */
export const scopeKinds = ['folder', 'overlay', 'chart'] as const;

const object = (apiVersion: string, kind: string, name: string, more = '') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;

const written = [
  object(
    'v1',
    'Secret',
    'registry-credentials',
    'type: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: e30=}\n',
  ),
  object('v1', 'ServiceAccount', 'basket-runner'),
  object('v1', 'ServiceAccount', 'pipeline-deployer'),
  object('v1', 'PersistentVolumeClaim', 'basket-pictures'),
  object('v1', 'Service', 'basket-frontend', 'spec: {ports: [{port: 80}]}\n'),
  object('v1', 'Service', 'session-store', 'spec: {clusterIP: None}\n'),
  object('rbac.authorization.k8s.io/v1', 'Role', 'basket-reader', 'rules: []\n'),
  object(
    'cert-manager.io/v1',
    'Certificate',
    'basket',
    'spec: {secretName: basket-certificate, issuerRef: {name: x}}\n',
  ),
  object('external-secrets.io/v1', 'ExternalSecret', 'basket-database', 'spec: {data: [{secretKey: password}]}\n'),
];

/** What an overlay generates, and other scopes contain. */
const configMaps = [
  object('v1', 'ConfigMap', 'basket-settings', 'data: {color: green}\n'),
  object('v1', 'ConfigMap', 'basket-features', 'data: {GIFTS: "true"}\n'),
  object('v1', 'ConfigMap', 'basket-templates', 'data: {mail.txt: Hello}\n'),
];

const readers = [
  object(
    'apps/v1',
    'Deployment',
    'basket',
    `spec:
  selector: {matchLabels: {app: basket}}
  template:
    metadata: {labels: {app: basket}}
    spec:
      serviceAccountName: basket-runner
      imagePullSecrets: [{name: registry-credentials}]
      containers:
        - name: basket
          envFrom: [{configMapRef: {name: basket-features}}]
          env:
            - {name: COLOR, valueFrom: {configMapKeyRef: {name: basket-settings, key: color}}}
            - {name: PASSWORD, valueFrom: {secretKeyRef: {name: basket-database, key: password}}}
      volumes:
        - {name: a, configMap: {name: basket-templates}}
        - name: b
          secret:
            secretName: basket-certificate
        - name: c
          persistentVolumeClaim:
            claimName: basket-pictures
`,
  ),
  object(
    'apps/v1',
    'StatefulSet',
    'session',
    'spec:\n  serviceName: session-store\n  selector: {matchLabels: {app: session}}\n  template: {metadata: {labels: {app: session}}}\n',
  ),
  object(
    'networking.k8s.io/v1',
    'Ingress',
    'basket',
    'spec: {defaultBackend: {service: {name: basket-frontend, port: {number: 80}}}}\n',
  ),
  object(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'basket',
    'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: basket-reader}\nsubjects: [{kind: ServiceAccount, name: pipeline-deployer}]\n',
  ),
];

/** The files of a closed scope. With a class, the name has a mistake; the number selects the mistake. */
export function namedFiles(
  kind: (typeof scopeKinds)[number],
  fault?: NameClass,
  number = 0,
): ReadonlyMap<string, string> {
  const mistake = mistakes[number % mistakes.length] ?? swapped;
  const misspelled = fault && mistake(fault.name, number);
  const change = (text: string) =>
    fault === undefined ? text : text.replace(`${fault.before}${fault.name}`, `${fault.before}${misspelled}`);
  const reading = readers.map(change).join('---\n');
  if (kind === 'overlay')
    return new Map([
      ['base/readers.yaml', reading],
      ['base/objects.yaml', written.join('---\n')],
      [
        'base/kustomization.yaml',
        `resources: [readers.yaml, objects.yaml]
configMapGenerator:
  - {name: basket-settings, literals: [color=green]}
  - {name: basket-features, literals: [GIFTS=true]}
  - {name: basket-templates, literals: [mail.txt=Hello]}
`,
      ],
      ['prod/kustomization.yaml', 'resources: [../base]\nnamePrefix: prod-\nnamespace: shop\n'],
    ]);
  const folder = kind === 'chart' ? 'chart/templates' : 'shop';
  return new Map([
    [`${folder}/readers.yaml`, reading],
    [`${folder}/objects.yaml`, [...written, ...configMaps].join('---\n')],
    ...(kind === 'chart' ? [['chart/Chart.yaml', 'apiVersion: v2\nname: shop\nversion: 1.0.0\n'] as const] : []),
  ]);
}
