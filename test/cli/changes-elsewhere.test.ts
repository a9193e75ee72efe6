/** Tests that a check with a cache finds what a change of one file causes in another one, and checks no more than needed. */
import assert from 'node:assert/strict';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { runInMemory } from './memory-world.ts';

const pods = (name: string, labels: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  selector:
    matchLabels: {${labels}}
  template:
    metadata:
      labels: {${labels}}
`;

const service = (name: string, labels: string, more = '') => `apiVersion: v1
kind: Service
metadata: {name: ${name}${more}}
spec:
  selector: {${labels}}
`;

const budget = (name: string, labels: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}}
spec:
  selector:
    matchLabels: {${labels}}
`;

interface Story {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** The changed file, and the text that is replaced in it. */
  readonly change: readonly [path: string, from: string, to: string];
  /** The file whose findings are others after the change. */
  readonly concerns: string;
  /** Every file is checked again. */
  readonly checksAll?: true;
}

const overlays = {
  'base/kustomization.yaml': 'resources: [web.yaml, budget.yaml]\n',
  'base/web.yaml': pods('web', 'app: web, tier: api'),
  'base/budget.yaml': budget('web', 'app: web'),
  'prod/kustomization.yaml': 'resources: [../base, budget.yaml]\n',
  'prod/budget.yaml': budget('tier', 'tier: api'),
  'dev/kustomization.yaml': 'resources: [../base]\npatches: [{path: patch.yaml}]\n',
  'dev/patch.yaml': budget('web', 'app: web'),
};

const inShop = ', namespace: shop';

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
      'b/one.yaml': pods('one', 'app: checkout'),
      'c/two.yaml': pods('two', 'app: other'),
    },
    change: ['c/two.yaml', 'app: other', 'app: checkout'],
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
      'b/c/kustomization.yaml': 'namespace: chekout\nresources: [web.yaml]\n',
      'b/c/web.yaml': pods('web', 'app: web'),
    },
    change: ['b/c/kustomization.yaml', 'namespace: chekout', 'namespace: others'],
    concerns: 'a/policy.yaml',
    checksAll: true,
  },
];

/** In no scope with anything else, and with a finding. */
const unrelated = {
  'far/from/all/bad.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad, labels: {"-": a}}\n',
};

describe('a check with a cache, after a change of', () => {
  for (const { title, files: related, change, concerns, checksAll = false } of stories) {
    it(`${title}`, async () => {
      const [path, from, to] = change;
      const files: Readonly<Record<string, string>> = { ...related, ...unrelated };
      const changed = { ...files, [path]: `${files[path]}`.replaceAll(from, to) };
      const words = ['check', '--format', 'json'];
      const caches = new Map<string, StoredFiles>();
      const before = await runInMemory(words, { files, caches });
      const cached = await runInMemory(words, { files: changed, caches });
      const anew = await runInMemory(words, { files: changed });
      assert.notDeepEqual(
        findingsIn(anew.json, concerns),
        findingsIn(before.json, concerns),
        'the change has no effect',
      );
      assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
      assert.equal(cached.readAgain.includes('far/from/all/bad.yaml'), checksAll);
    });
  }
});

function findingsIn(report: unknown, file: string): readonly unknown[] {
  const { diagnostics } = report as { readonly diagnostics: readonly { readonly file: string }[] }; // what the schema says
  return diagnostics.filter((each) => each.file === file);
}
