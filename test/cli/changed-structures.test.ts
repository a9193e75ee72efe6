/** Tests that a check with a cache finds the consequences of added and deleted files and of changed lists of kustomizations, and checks no more than needed. */
import { map, pods, type Story, service, testStory } from './change-stories.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`apps/app-${number}/map.yaml`, map(`m${number}`)]));

const shop = ', namespace: shop';

const structures: readonly Story[] = [
  {
    title: 'an added object that a selector matches',
    files: { 'a/service.yaml': service('web', 'app: web'), 'a/web.yaml': pods('other', 'app: webs') },
    change: ['a/b/pods.yaml', '', pods('web', 'app: web')],
    concerns: 'a/service.yaml',
  },
  {
    title: 'a deleted object in another scope that a selector matches',
    files: {
      'a/service.yaml': service('web', 'app: web'),
      'a/web.yaml': pods('other', 'app: webs'),
      'b/c/pods.yaml': pods('web', 'app: web'),
    },
    change: ['b/c/pods.yaml', '*', ''],
    concerns: 'a/service.yaml',
  },
  {
    title: 'a list of patches, by which an object that a selector matched becomes a patch',
    files: {
      'a/service.yaml': service('web', 'app: web'),
      'a/web.yaml': pods('other', 'app: webs'),
      'b/c/kustomization.yaml': 'resources: []\n',
      'b/c/pods.yaml': pods('web', 'app: web'),
    },
    change: ['b/c/kustomization.yaml', 'resources: []', 'patches: [{path: pods.yaml}]'],
    concerns: 'a/service.yaml',
  },
  {
    title: 'a deleted object in a neighboring folder, without which only one object is similar',
    files: {
      'shop/policies/service.yaml': service('entry', 'app: chekcout', shop),
      'shop/apps/api.yaml': pods('api', 'app: checkout', shop),
      'shop/more/api.yaml': pods('more', 'app: chekocut', shop),
    },
    change: ['shop/more/api.yaml', '*', ''],
    concerns: 'shop/policies/service.yaml',
  },
  {
    title: 'an added copy, which makes two folders alternatives',
    files: {
      'a/other.yaml': pods('other', 'app: webs'),
      'a/one/service.yaml': service('web', 'app: web'),
      'a/one/map.yaml': map('copied'),
      'a/two/web.yaml': pods('web', 'app: web'),
    },
    change: ['a/two/map.yaml', '', map('copied')],
    concerns: 'a/one/service.yaml',
  },
  {
    title: 'an added file with a name similar to a missing resource of another folder',
    files: { 'x/kustomization.yaml': 'resources: [../y/deployment.yaml]\n' },
    change: ['y/deploymnet.yaml', '', map('web')],
    concerns: 'x/kustomization.yaml',
  },
  {
    title: 'a deleted file that a component lists which no kustomization includes',
    files: {
      'x/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [../y/web.yaml]\n',
      'y/web.yaml': map('web'),
    },
    change: ['y/web.yaml', '*', ''],
    concerns: 'x/kustomization.yaml',
  },
  {
    title: 'a list of a component that no kustomization includes',
    files: {
      'x/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [../y/web.yaml]\n',
      'y/kustomization.yaml': 'namePrefix: y-\n',
      'y/web.yaml': map('web'),
    },
    change: ['x/kustomization.yaml', '../y/web.yaml', ''],
    concerns: 'y/web.yaml',
  },
  {
    title: 'a list of components that include each other',
    files: {
      'x/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../y]\n',
      'y/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../z]\n',
      'z/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: []\n',
    },
    change: ['z/kustomization.yaml', '[]', '[../x]'],
    concerns: 'y/kustomization.yaml',
  },
  {
    title: 'a name in a distant file that kustomizations list that include each other',
    files: {
      'x/kustomization.yaml': 'resources: [web.yaml, ../y/deep/from/x/other.yaml, ../z]\n',
      'x/web.yaml': map('web'),
      'y/deep/from/x/other.yaml': map('other'),
      'z/kustomization.yaml': 'resources: [../x]\n',
    },
    change: ['y/deep/from/x/other.yaml', 'name: other', 'name: web'],
    concerns: 'x/web.yaml',
  },
  {
    title: 'an added kustomization next to a file that it does not list',
    files: { 'x/web.yaml': map('web'), 'x/other.yaml': map('other') },
    change: ['x/kustomization.yaml', '', 'resources: [web.yaml]\n'],
    concerns: 'x/other.yaml',
  },
  {
    title: 'an added overlay of a base, which changes what a selector in the base matches',
    files: {
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': pods('web', 'app: web'),
      'base/service.yaml': service('web', 'app: web'),
    },
    change: ['prod/kustomization.yaml', '', `resources: [../base]\npatches: [{path: patch.yaml}]\n`],
    concerns: 'prod/kustomization.yaml',
  },
  {
    title: 'a deleted overlay, without which a selector matches nothing',
    files: {
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': pods('web', 'app: web'),
      'prod/kustomization.yaml': 'resources: [../base]\nlabels: [{pairs: {app: front}, includeSelectors: true}]\n',
      'a/b/service.yaml': `${service('web', 'app: front')}---\n${pods('c', 'app: fronts')}`,
    },
    change: ['prod/kustomization.yaml', '*', ''],
    concerns: 'a/b/service.yaml',
  },
  {
    title: 'the patches of an overlay that includes another overlay',
    files: {
      'base/kustomization.yaml': 'resources: [map.yaml]\n',
      'base/map.yaml': map('settings'),
      'dev/kustomization.yaml': 'resources: [../prod]\nnamePrefix: a-\n',
      'prod/kustomization.yaml': 'resources: [../base, pod.yaml]\n',
      'prod/pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: main, env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: missing}}}]}]
`,
    },
    change: [
      'dev/kustomization.yaml',
      'namePrefix: a-',
      'namePrefix: a-\npatches: [{patch: "[{op: add, path: /data/missing, value: b}]", target: {kind: ConfigMap}}]',
    ],
    concerns: 'prod/pod.yaml',
  },
  {
    title: 'an added file, with which there are too many folders next to each other',
    files: {
      ...many(38),
      'apps/selects/service.yaml': service('web', 'app: webb', shop),
      'apps/selected/pods.yaml': pods('web', 'app: web', shop),
    },
    change: ['apps/more/map.yaml', '', map('more')],
    concerns: 'apps/selects/service.yaml',
  },
  {
    title: 'a deleted template of a chart',
    files: {
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/service.yaml': service('web', 'app: web'),
      'chart/templates/other.yaml': pods('other', 'app: other'),
      'chart/templates/web.yaml': pods('web', 'app: web'),
    },
    change: ['chart/templates/web.yaml', '*', ''],
    concerns: 'chart/templates/service.yaml',
  },
];

describe('a check with a cache, after a change of the structure:', () => {
  for (const story of structures) testStory(story);
});
