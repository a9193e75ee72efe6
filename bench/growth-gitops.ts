/** Shapes of overlays and GitOps objects whose number multiplies the work for the files that they apply. */

import { chart, deployment, documents, type Files, list, numbers, pod, type Shape, service } from './growth-make.ts';

export const gitopsShapes: readonly Shape[] = [
  {
    name: 'Flux Kustomizations that all apply one file',
    size: 30,
    files: (size) => [
      ['app/objects.yaml', pairs(100)],
      ['app/kustomization.yaml', 'resources: [objects.yaml]\n'],
      ['clusters/all.yaml', documents(size, (n) => fluxKustomization(`k${n}`, 'app'))],
    ],
  },
  {
    name: 'Flux Kustomizations that depend on each other',
    size: 50,
    files: (size) => [
      ['app/a.yaml', pod('p', 'app: a')],
      [
        'clusters/all.yaml',
        documents(
          size,
          (n) =>
            `${fluxKustomization(`k${n}`, 'app')}  dependsOn: [${list(10, (each) => `{name: k${(n + each) % size}}, `)}]\n`,
        ),
      ],
    ],
  },
  {
    name: 'Flux Kustomizations that apply each other in a chain',
    size: 200,
    files: (size) =>
      numbers(size).flatMap((n) => [
        [`k${n}/next.yaml`, fluxKustomization(`k${n}`, `k${n + 1}`)] as const,
        [`k${n}/pod.yaml`, pod(`p${n}`, 'app: a')] as const,
      ]),
  },
  {
    name: 'Flux Kustomizations that wait for each other in a chain',
    size: 200,
    files: (size) =>
      numbers(size).flatMap((n) => [
        [
          `clusters/k${n}.yaml`,
          `${fluxKustomization(`k${n}`, `app${n}`)}${n === 0 ? '' : `  dependsOn: [{name: k${n - 1}}]\n`}`,
        ] as const,
        [`app${n}/pod.yaml`, pod(`p${n}`, 'app: a')] as const,
      ]),
  },
  {
    name: 'Flux Kustomizations with variables of ConfigMaps of their own',
    size: 400,
    files: (size) => [
      ['app/a.yaml', pod('p', `app: '\${name}'`)],
      [
        'clusters/all.yaml',
        documents(
          size,
          (n) =>
            `${fluxKustomization(`k${n}`, 'app')}  postBuild: {substituteFrom: [{kind: ConfigMap, name: c${n}}]}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${n}, namespace: flux-system}\ndata: {name: v${n}}\n`,
        ),
      ],
    ],
  },
  {
    name: 'Flux Kustomizations that apply each other in cycles',
    size: 100,
    files: (size) =>
      numbers(size).map((n) => [
        `a${n}/all.yaml`,
        documents(4, (each) => fluxKustomization(`k${n}-${each}`, `a${(n * 3 + each + 1) % size}`)),
      ]),
  },
  {
    name: 'overlays of one large base',
    size: 50,
    files: (size) => [
      ['base/objects.yaml', pairs(200)],
      ['base/kustomization.yaml', 'resources: [objects.yaml]\n'],
      ...numbers(size).map((n) => [`o${n}/kustomization.yaml`, `resources: [../base]\nnamePrefix: o${n}-\n`] as const),
    ],
  },
  {
    name: 'overlays with patches by patterns',
    size: 5,
    files: (size) => patchedOverlays(size, 400),
  },
  {
    name: 'one overlay with patches by patterns',
    size: 100,
    files: (size) => patchedOverlays(1, size),
  },
  {
    name: 'overlays of deep bases',
    size: 25,
    files: (size) => [
      ['b0/objects.yaml', pairs(100)],
      ['b0/kustomization.yaml', 'resources: [objects.yaml]\n'],
      ...numbers(size).map(
        (n) =>
          [
            `b${n + 1}/kustomization.yaml`,
            `resources: [../b${n}]\nnamePrefix: a-\ncommonLabels: {l${n}: x}\n`,
          ] as const,
      ),
    ],
  },
  {
    name: 'deep bases with an overlay of each',
    size: 25,
    files: (size) => [
      ['b0/objects.yaml', pairs(20)],
      ['b0/kustomization.yaml', 'resources: [objects.yaml]\n'],
      ...numbers(size).flatMap((n) => [
        [`b${n + 1}/kustomization.yaml`, `resources: [../b${n}]\nnamePrefix: a-\n`] as const,
        [`o${n + 1}/kustomization.yaml`, `resources: [../b${n}]\nnamePrefix: o-\n`] as const,
      ]),
    ],
  },
  {
    name: 'components that include each other',
    size: 50,
    files: (size) => [
      ['a/kustomization.yaml', 'resources: [a.yaml]\ncomponents: [../c0]\n'],
      ['a/a.yaml', pod('p', 'app: a')],
      ...numbers(size).map(
        (n) =>
          [
            `c${n}/kustomization.yaml`,
            `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../c${(n + 1) % size}, ../c${(n * 7 + 3) % size}]\n`,
          ] as const,
      ),
    ],
  },
  {
    name: 'replacements into all objects by patterns',
    size: 50,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [objects.yaml]\nreplacements:\n${list(size, (n) => `  - {source: {kind: Service, name: s${n}, fieldPath: metadata.name}, targets: [{select: {kind: Deployment, name: '.*'}, fieldPaths: ['metadata.labels.l${n}'], options: {create: true}}]}\n`)}`,
      ],
      ['objects.yaml', pairs(size)],
    ],
  },
  {
    name: 'HelmReleases of one chart',
    size: 100,
    files: (size) => [
      ['releases.yaml', documents(size, (n) => helmRelease(`r${n}`))],
      ['charts/app/Chart.yaml', chart],
      ['charts/app/values.yaml', 'name: a\n'],
      ['charts/app/templates/all.yaml', documents(20, (n) => chartService(n))],
    ],
  },
  {
    name: 'Applications of one chart with values of their own',
    size: 25,
    files: (size) => [
      ['apps.yaml', documents(size, (n) => application(`a${n}`, 'charts/app', `values${n}.yaml`))],
      ['charts/app/Chart.yaml', chart],
      ['charts/app/values.yaml', 'name: a\n'],
      ...numbers(size).map((n) => [`charts/app/values${n}.yaml`, `name: v${n}\n`] as const),
      ['charts/app/templates/all.yaml', documents(20, (n) => chartService(n))],
    ],
  },
  {
    name: 'HelmReleases of one chart with post-renderers',
    size: 100,
    files: (size) => [
      [
        'releases.yaml',
        documents(
          size,
          (n) =>
            `${helmRelease(`r${n}`)}  postRenderers: [{kustomize: {patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /metadata/labels/l${n}, value: x}]'}]}}]\n`,
        ),
      ],
      ['charts/app/Chart.yaml', chart],
      ['charts/app/values.yaml', 'name: a\n'],
      ['charts/app/templates/all.yaml', chartService(0)],
    ],
  },
  {
    name: 'HelmReleases of one chart that writes objects in a loop',
    size: 20,
    files: (size) => [
      ['releases.yaml', documents(size, (n) => helmRelease(`r${n}`))],
      ['charts/app/Chart.yaml', chart],
      ['charts/app/values.yaml', 'name: a\n'],
      [
        'charts/app/templates/all.yaml',
        `{{ range until 100 }}\n---\n${service('{{ $.Release.Name }}-{{ . }}', 'app: "{{ $.Values.name }}-{{ . }}"')}{{ end }}\n`,
      ],
    ],
  },
  {
    name: 'Applications that apply each other in cycles',
    size: 40,
    files: (size) =>
      numbers(size).map((n) => [
        `a${n}/apps.yaml`,
        documents(4, (each) => application(`a${n}-${each}`, `a${(n * 3 + each + 1) % size}`)),
      ]),
  },
  {
    name: 'labels of a kustomization, and objects',
    size: 200,
    files: (size) => [
      ['objects.yaml', pairs(40)],
      ['kustomization.yaml', `resources: [objects.yaml]\ncommonLabels:\n${list(5 * size, (n) => `  l${n}: x\n`)}`],
    ],
  },
  {
    name: 'an ApplicationSet of directories and clusters',
    size: 10,
    files: (size) => [...folders(size), ['set.yaml', applicationSet('s', size)]],
  },
  {
    name: 'ApplicationSets of directories and clusters',
    size: 6,
    files: (size) => [...folders(30), ['sets.yaml', documents(size, (n) => applicationSet(`s${n}`, 30))]],
  },
  {
    name: 'an ApplicationSet of one folder for many namespaces',
    size: 400,
    files: (size) => [
      ['app/all.yaml', pairs(2)],
      ['set.yaml', namespacesSet(size)],
    ],
  },
  {
    name: 'ApplicationSets of one chart with values by name',
    size: 10,
    files: (size) => [
      ['charts/app/Chart.yaml', chart],
      ['charts/app/values.yaml', 'name: a\n'],
      ['charts/app/templates/all.yaml', chartService(0)],
      ...numbers(size).flatMap((n) => numbers(size).map((m) => [`env/e${n}/c${m}.yaml`, `name: v${n}\n`] as const)),
      ['set.yaml', valuesSet(size)],
    ],
  },
];

/** Services with the Deployments that they select. */
const pairs = (objects: number) =>
  documents(objects / 2, (n) => `${service(`s${n}`, `app: a${n}`)}---\n${deployment(`d${n}`, `app: a${n}`)}`);

function patchedOverlays(overlays: number, patches: number): Files {
  return [
    ['base/objects.yaml', documents(patches, (n) => pod(`p${n}`, 'app: a'))],
    ['base/kustomization.yaml', 'resources: [objects.yaml]\n'],
    ...numbers(overlays).map(
      (overlay) =>
        [
          `o${overlay}/kustomization.yaml`,
          `resources: [../base]\npatches:\n${list(patches, (n) => `  - target: {kind: Pod, name: '(p|q).*${n}'}\n    patch: '[{op: add, path: /metadata/labels/l${n}, value: x}]'\n`)}`,
        ] as const,
    ),
  ];
}

const folders = (count: number): Files =>
  numbers(count).map(
    (n) => [`apps/a${n}/map.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${n}}\n`] as const,
  );

/** Returns a Flux Kustomization that applies a path. */
export function fluxKustomization(name: string, path: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ./${path}\n  targetNamespace: ${name}\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
}

function helmRelease(name: string): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: apps}\nspec:\n  chart: {spec: {chart: ./charts/app, sourceRef: {kind: GitRepository, name: flux-system}}}\n  values: {name: ${name}}\n`;
}

function chartService(n: number): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: '{{ .Release.Name }}-s${n}'}\nspec:\n  selector:\n    app: {{ .Values.name }}-${n}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '{{ .Release.Name }}-d${n}'}\nspec:\n  selector: {matchLabels: {app: '{{ .Values.name }}-${n}'}}\n  template:\n    metadata: {labels: {app: '{{ .Values.name }}-${n}'}}\n`;
}

function application(name: string, path: string, values?: string): string {
  const helm = values === undefined ? '' : `, helm: {valueFiles: [${values}]}`;
  return `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  project: default\n  source: {repoURL: https://github.com/example/apps.git, path: ${path}${helm}}\n  destination: {server: https://kubernetes.default.svc, namespace: ${name}}\n`;
}

/** An ApplicationSet that applies each folder in `apps` to a number of clusters. */
export function applicationSet(name: string, clusters: number): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: ${name}, namespace: argocd}
spec:
  generators:
    - matrix:
        generators:
          - git: {repoURL: https://github.com/example/apps.git, revision: HEAD, directories: [{path: apps/*}]}
          - list:
              elements:
${list(clusters, (n) => `                - {cluster: c${n}}\n`)}  template:
    metadata: {name: '{{path.basename}}-{{cluster}}-${name}'}
    spec:
      project: default
      source: {repoURL: https://github.com/example/apps.git, targetRevision: HEAD, path: '{{path}}'}
      destination: {name: '{{cluster}}', namespace: x}
`;
}

/** An ApplicationSet that applies a folder to a number of namespaces of one cluster. */
function namespacesSet(size: number): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: namespaces, namespace: argocd}
spec:
  generators:
    - list: {elements: [${list(size, (n) => `{name: n${n}}, `)}]}
  template:
    metadata: {name: '{{name}}'}
    spec:
      project: default
      source: {repoURL: https://github.com/example/apps.git, targetRevision: HEAD, path: app}
      destination: {server: https://kubernetes.default.svc, namespace: '{{name}}'}
`;
}

/** An ApplicationSet that applies a chart for each pair of an environment and a cluster. */
function valuesSet(size: number): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: values, namespace: argocd}
spec:
  generators:
    - matrix:
        generators:
          - list: {elements: [${list(size, (n) => `{environment: e${n}}, `)}]}
          - list: {elements: [${list(size, (n) => `{cluster: c${n}}, `)}]}
  template:
    metadata: {name: '{{environment}}-{{cluster}}'}
    spec:
      project: default
      source:
        repoURL: https://github.com/example/apps.git
        path: charts/app
        helm: {valueFiles: ['../../env/{{environment}}/{{cluster}}.yaml', '../../env/{{environment}}/all.yaml']}
      destination: {name: '{{cluster}}', namespace: x}
`;
}
