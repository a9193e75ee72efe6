/**
 * Tests that a check with a cache finds the consequences of a change in other files, and checks no more than needed.
 */
import { budget, pods, type Story, service, testStory } from './change-stories.ts';
import { chartChanges, installedCharts } from './installed-charts.ts';

const overlays = {
  'base/kustomization.yaml': 'resources: [web.yaml, budget.yaml]\n',
  'base/web.yaml': pods('web', 'app: web, tier: api'),
  'base/budget.yaml': budget('web', 'app: web'),
  'prod/kustomization.yaml': 'resources: [../base, budget.yaml]\n',
  'prod/budget.yaml': budget('tier', 'tier: api'),
  'dev/kustomization.yaml': 'resources: [../base]\npatches: [{path: patch.yaml}]\n',
  'dev/patch.yaml': budget('web', 'app: web'),
};

const operations = '[{op: replace, path: /spec/template/metadata/labels/tier, value: web}]\n';

/** An overlay with a transformer in a folder. */
const transformed = (transformers: string, patch: string, folder: string) => ({
  'prod/kustomization.yaml': `resources: [../base, budget.yaml]\ntransformers: ${transformers}\n`,
  [`${folder}transformer.yaml`]: `apiVersion: builtin
kind: PatchTransformer
metadata: {name: patch}
target: {kind: Deployment}
${patch}
`,
});

const inShop = ', namespace: shop';

const nearNamespace = {
  'a/policy.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: checkout}
spec:
  podSelector: {}
  ingress:
  - from:
    - namespaceSelector:
        matchLabels: {kubernetes.io/metadata.name: chekout}
`,
  'a/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: checkout}\n',
};

const expected = {
  '.selector-lens.yaml': 'expect:\n- {name: database, owner: team-data, that: web may reach db on 5432}\n',
  'b/c/web.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec: {containers: [{name: web}]}\n',
  'd/e/db.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: db, labels: {app: db}}\nspec: {containers: [{name: db}]}\n',
  'd/e/policy.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}]
    ports: [{port: 5432}]
`,
};

const inCharts = chartChanges.map(
  ([title, change]): Story => ({
    title: `${title}, which a selector of another scope matches`,
    files: installedCharts,
    change,
    concerns: 'checkout/service.yaml',
    // The cache does not contain helpers and values of charts.
    ...(title === 'a template of a chart' ? { keeps: 'payments/service.yaml' } : { checksAll: true }),
  }),
);

const stories: readonly Story[] = [
  {
    title: 'an object of another scope, which a selector matched',
    files: {
      'a/service.yaml': service('web', 'app: web'),
      'a/api.yaml': pods('api', 'app: api'),
      'b/c/web.yaml': pods('web', 'app: web'),
      'b/d/key.yaml': pods('other', 'app: elsewhere'),
    },
    change: ['b/c/web.yaml', 'app: web', 'app: front'],
    concerns: 'a/service.yaml',
  },
  {
    title: 'the only object of another scope that has a label key',
    files: {
      'a/service.yaml': service('web', 'group: web'),
      'a/api.yaml': pods('api', 'app: api'),
      'b/c/web.yaml': pods('web', 'group: elsewhere'),
    },
    change: ['b/c/web.yaml', 'group:', 'app:'],
    concerns: 'a/service.yaml',
  },
  {
    title: 'a selector of a scope that is applied with the scope of what another selector almost matches',
    files: {
      'all/.selector-lens.yaml': `scopes:
- {name: front, paths: [front/**], with: [back]}
- {name: back, paths: [back/**], with: [third]}
- {name: third, paths: [third/**]}
`,
      'all/front/service.yaml': service('front', 'app: checkout'),
      'all/back/web.yaml': pods('back', 'app: chekout'),
      'all/third/service.yaml': service('third', 'app: other'),
    },
    change: ['all/third/service.yaml', 'app: other', 'app: chekout'],
    concerns: 'all/front/service.yaml',
  },
  {
    title: 'a patch of what is built',
    files: overlays,
    change: ['dev/patch.yaml', 'app: web', 'app: other'],
    concerns: 'base/budget.yaml',
  },
  {
    title: 'a kustomization of what is built',
    files: {
      ...overlays,
      'prod/kustomization.yaml':
        'resources: [../base, budget.yaml]\nlabels: [{pairs: {team: red}, includeTemplates: true}]\n',
    },
    change: ['prod/kustomization.yaml', 'team: red', 'tier: red'],
    concerns: 'base/web.yaml',
  },
  {
    title: 'objects of all scopes, of which a command names one',
    files: {
      'a/job.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  template:
    spec:
      containers:
      - name: main
        command: [sh, -c, "kubectl get pods -l app=checkouts"]
`,
      'b/c/one.yaml': pods('one', 'app: checkout'),
      'd/e/two.yaml': pods('two', 'app: other'),
    },
    change: ['d/e/two.yaml', 'app: other', 'app: checkout'],
    concerns: 'a/job.yaml',
  },
  {
    title: 'an object of a plain folder beside the folder of a selector',
    files: {
      'shop/policies/service.yaml': service('checkout', 'app: checkout', inShop),
      'shop/apps/checkout.yaml': pods('checkout', 'app: other', inShop),
    },
    change: ['shop/apps/checkout.yaml', 'app: other', 'app: chekout'],
    concerns: 'shop/policies/service.yaml',
  },
  {
    title: 'a template of a chart, which says what a value is',
    files: {
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/values.yaml': 'marks:\n  team: "-"\n',
      'chart/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: pod\n  annotations:\n    {{- toYaml .Values.marks | nindent 4 }}\n',
    },
    change: ['chart/templates/pod.yaml', 'annotations', 'labels'],
    concerns: 'chart/values.yaml',
  },
  {
    title: 'a kustomization that uses the file beside it no more',
    files: {
      'app/kustomization.yaml': 'resources: [web.yaml]\nconfigMapGenerator: [{name: a, files: [service.yaml]}]\n',
      'app/web.yaml': pods('web', 'app: web'),
      'app/service.yaml': service('web', 'app: web'),
    },
    change: ['app/kustomization.yaml', 'files: [service.yaml]', 'files: [web.yaml]'],
    concerns: 'app/service.yaml',
  },
  {
    title: 'the namespace of another kustomization',
    files: {
      ...nearNamespace,
      'b/c/kustomization.yaml': 'namespace: chekout\nresources: [web.yaml]\n',
      'b/c/web.yaml': pods('web', 'app: web'),
    },
    change: ['b/c/kustomization.yaml', 'namespace: chekout', 'namespace: others'],
    concerns: 'a/policy.yaml',
  },
  {
    title: 'the namespace of an object of another scope',
    files: { ...nearNamespace, 'b/c/web.yaml': pods('web', 'app: web', ', namespace: chekout') },
    change: ['b/c/web.yaml', 'namespace: chekout', 'namespace: others'],
    concerns: 'a/policy.yaml',
  },
  {
    title: 'a file of replacements',
    files: {
      ...overlays,
      'prod/kustomization.yaml': 'resources: [../base, budget.yaml]\nreplacements: [{path: replacements.yaml}]\n',
      'prod/replacements.yaml': `- source: {kind: Deployment, name: web, fieldPath: metadata.name}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.metadata.labels.tier]
`,
    },
    change: ['prod/replacements.yaml', 'labels.tier', 'labels.app'],
    concerns: 'prod/budget.yaml',
  },
  {
    title: 'a JSON patch that a transformer names',
    files: {
      ...overlays,
      ...transformed('[transformer.yaml]', 'path: patch.yaml', 'prod/'),
      'prod/patch.yaml': operations,
    },
    change: ['prod/patch.yaml', 'value: web', 'value: api'],
    concerns: 'prod/budget.yaml',
  },
  {
    title: 'a patch that a transformer in a kustomization names',
    files: {
      ...overlays,
      'prod/kustomization.yaml': `resources: [../base, budget.yaml]
transformers:
- |-
  apiVersion: builtin
  kind: PatchTransformer
  metadata: {name: patch}
  path: ../patches/patch.yaml
`,
      'patches/patch.yaml': pods('web', 'app: web, tier: web'),
    },
    change: ['patches/patch.yaml', 'tier: web', 'tier: api'],
    concerns: 'prod/budget.yaml',
  },
  {
    title: 'a transformer of a folder that a kustomization names',
    files: {
      ...overlays,
      ...transformed('[../tools]', `patch: '${operations.trim()}'`, 'tools/'),
      'tools/kustomization.yaml': 'resources: [transformer.yaml]\n',
    },
    change: ['tools/transformer.yaml', 'value: web', 'value: api'],
    concerns: 'prod/budget.yaml',
  },
  ...inCharts,
  ...(
    [
      ['renamed', 'name: default', 'name: defaults'],
      ['deleted', '*', ''],
    ] as const
  ).map(
    ([what, from, to]): Story => ({
      title: `a ${what} Namespace that every cluster contains`,
      files: {
        ...nearNamespace,
        'b/c/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {"-": a}}\n',
        'd/e/policy.yaml': nearNamespace['a/policy.yaml'].replace('chekout', 'default'),
        'd/e/other.yaml': nearNamespace['a/policy.yaml'].replace('kubernetes.io/metadata.name: chekout', '"-": a'),
      },
      change: ['b/c/namespace.yaml', from, to],
      concerns: 'b/c/namespace.yaml',
    }),
  ),
  {
    title: 'the definition of a kind of another scope',
    files: {
      'a/widget.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {pod: {metadata: {labels: {app: a b}}}}\n',
      'b/c/definition.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - {name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {pod: {properties: {metadata: {type: object}, spec: {properties: {containers: {items: {type: object}}}}}}}}}}}}
`,
    },
    change: ['b/c/definition.yaml', '{pod:', '{other:'],
    concerns: 'a/widget.yaml',
    checksAll: true,
  },
  {
    title: 'a label on which an expectation depends',
    files: expected,
    change: ['b/c/web.yaml', 'app: web', 'app: other'],
    concerns: '.selector-lens.yaml',
  },
  {
    title: 'a port of a network policy on which an expectation depends',
    files: expected,
    change: ['d/e/policy.yaml', 'port: 5432', 'port: 5433'],
    concerns: '.selector-lens.yaml',
  },
];

describe('a check with a cache, after a change of', () => {
  for (const story of stories) testStory(story);
});
