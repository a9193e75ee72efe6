/** Tests what Applications of Argo CD apply, and what is reported about them, in small repositories. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const application = (name: string, source: string, destination = 'namespace: shop') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {source: {repoURL: https://git.example.com/shop.git, ${source}}, destination: {${destination}}}
`;

const map = (name: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}${more}}
`;

/** The repository is known: this Application contains itself. */
const root = { 'argocd/root.yaml': application('root', 'path: argocd', 'namespace: argocd') };

type Files = Readonly<Record<string, string>>;

/** The objects that are not in the folder of the Applications, as `scope: Kind/name in namespace`. */
async function built(files: Files): Promise<readonly string[]> {
  const { json } = await runInMemory(['objects', '--format', 'json'], { files: { ...root, ...files } });
  const { objects } = json as {
    objects: readonly {
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
      readonly file: string;
      readonly scope: { readonly kind: string; readonly path: string };
    }[];
  };
  return objects
    .filter(({ file }) => !file.startsWith('argocd/'))
    .map(({ kind, name, namespace, scope }) => `${scope.path}: ${kind}/${name}${namespace ? ` in ${namespace}` : ''}`);
}

/** The findings, as `file: rule`. */
async function findings(files: Files): Promise<readonly string[]> {
  const { json } = await runInMemory(['check', '--format', 'json'], { files: { ...root, ...files } });
  const { diagnostics } = json as { diagnostics: readonly { readonly file: string; readonly rule: string }[] };
  return diagnostics.map(({ file, rule }) => `${file}: ${rule}`);
}

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/map.yaml': map('{{ .Release.Name }}'),
};

describe('an Application', () => {
  it('builds only the files directly in a plain folder without recurse', async () => {
    const files = { 'web/top.yaml': map('top'), 'web/sub/below.yaml': map('below') };
    assert.deepEqual(await built({ ...files, 'argocd/web.yaml': application('web', 'path: web') }), [
      'argocd/web.yaml: ConfigMap/top in shop',
      'web/sub: ConfigMap/below',
    ]);
    const recursing = application('web', 'path: web, directory: {recurse: true}');
    assert.deepEqual(await built({ ...files, 'argocd/web.yaml': recursing }), [
      'argocd/web.yaml: ConfigMap/below in shop',
      'argocd/web.yaml: ConfigMap/top in shop',
    ]);
  });

  it('builds a folder with a chart and a kustomization by kustomize', async () => {
    const files = { ...chart, 'web/kustomization.yaml': 'resources: [own.yaml]\n', 'web/own.yaml': map('own') };
    const objects = await built({ ...files, 'argocd/web.yaml': application('web', 'path: web') });
    assert.ok(objects.includes('argocd/web.yaml: ConfigMap/own in shop'), objects.join('\n'));
    assert.ok(!objects.includes('argocd/web.yaml: ConfigMap/web in shop'), objects.join('\n'));
  });

  it('ignores an empty kustomize block over a chart', async () => {
    const files = { ...chart, 'argocd/web.yaml': application('web', 'path: web, kustomize: {}') };
    assert.deepEqual(await built(files), ['argocd/web.yaml: ConfigMap/web in shop']);
  });

  it('names values files of another source, of which only certain ones are reported as missing', async () => {
    const sources = (url: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: redis, namespace: argocd}
spec:
  destination: {namespace: shop}
  sources:
  - repoURL: https://charts.example.com
    chart: redis
    targetRevision: 1.0.0
    helm: {valueFiles: [$values/envs/prod.yaml, $values/envs/prodd.yaml]}
  - {repoURL: "${url}", ref: values}
`;
    const files = { 'envs/prod.yaml': 'replicas: 2\n', 'web/map.yaml': map('web') };
    const here = { ...files, 'argocd/redis.yaml': sources('https://git.example.com/shop.git') };
    assert.deepEqual(await findings(here), ['argocd/redis.yaml: gitops-path-missing']);
    const other = { ...files, 'argocd/redis.yaml': sources('https://git.example.com/values.git') };
    assert.deepEqual(await findings(other), []);
    const unsure = { ...here, 'argocd/root.yaml': map('root') };
    assert.deepEqual(await findings(unsure), []);
  });

  it('has a finding for values next to valuesObject', async () => {
    const helm = 'path: web, helm: {values: "a: 1", valuesObject: {b: 2}}';
    assert.deepEqual(await findings({ ...chart, 'argocd/web.yaml': application('web', helm) }), [
      'argocd/web.yaml: gitops-values-ignored',
    ]);
  });

  it('is not compared with another one that applies the same folder to another namespace', async () => {
    const files = {
      'web/map.yaml': map('web'),
      'web/web.yaml': `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: "web:1"}]}
`,
      'argocd/a.yaml': application('a', 'path: web', 'server: https://kubernetes.default.svc, namespace: one'),
      'argocd/b.yaml': application('b', 'path: web', 'server: https://kubernetes.default.svc, namespace: two'),
    };
    assert.deepEqual(await findings(files), []);
    const objects = await built(files);
    assert.deepEqual(
      objects.filter((each) => each.includes('Service')),
      ['argocd/a.yaml: Service/web in one', 'argocd/b.yaml: Service/web in two'],
    );
    const { out } = await runInMemory(['who-selects', '--object', 'Pod/web'], { files: { ...root, ...files } });
    assert.equal(out.filter((line) => line.includes('Service/web selects')).length, 2);
  });
});

describe('a suspended Kustomization', () => {
  it('is named as suspended', async () => {
    const files = {
      'cluster/shop.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: shop, namespace: flux-system}\nspec: {path: ./shop, suspend: true, sourceRef: {kind: GitRepository, name: flux-system}}\n',
      'shop/map.yaml': map('web'),
    };
    const { out } = await runInMemory(['who-selects', '--object', 'ConfigMap/web'], { files });
    assert.match(out[0] ?? '', /as built by the Flux Kustomization in cluster\/shop.yaml \(suspended\)/);
    const json = await runInMemory(['who-selects', '--object', 'ConfigMap/web', '--format', 'json'], { files });
    assert.match(json.out.join(''), /"suspended": ?true/);
  });
});

interface Answer {
  readonly notCompared: readonly object[];
  readonly objects?: readonly { readonly notCompared?: number }[];
  readonly selectors?: readonly { readonly notCompared?: number }[];
}

describe('a cluster with many GitOps objects', () => {
  it('is compared in part, and the number of the others is stated', async () => {
    const app = (name: string, path: string) =>
      `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec: {source: {repoURL: https://git.example.com/a.git, path: ${path}}, destination: {server: 'https://kubernetes.default.svc', namespace: a}}\n`;
    const files = (labels: string) => ({
      'apps.yaml': [app('web', 'web'), ...Array.from({ length: 503 }, (_, index) => app(`a${index}`, 'a'))].join(''),
      'a/monitor.yaml': `apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {name: all}\nspec: {namespaceSelector: {any: true}, selector: {matchLabels: {${labels}}}}\n`,
      'web/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\n',
    });
    const { out } = await runInMemory(['who-selects', '--object', 'Pod/web'], { files: files('app: web') });
    assert.deepEqual(out.slice(-2), [
      '  Not all selectors of 3 other GitOps objects that may share its cluster are known:',
      '    3 because of the limit on compared GitOps objects: apps.yaml#a500, apps.yaml#a501, apps.yaml#a502',
    ]);
    const other = await runInMemory(['who-selects', '--object', 'Pod/web'], { files: files('app: webb') });
    assert.deepEqual(other.out.slice(1), [
      '  No selector in its scope, or of another GitOps object that certainly shares its cluster, matches it.',
    ]);
  });

  it('is not compared with charts, and with what is possibly in another cluster and may match', async () => {
    const app = (name: string, source: string, server: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec: {source: {repoURL: https://git.example.com/a.git, ${source}}, destination: {${server}, namespace: shop}}\n`;
    const here = "server: 'https://kubernetes.default.svc'";
    const files = {
      'apps/web.yaml': app('web', 'path: web', here),
      'apps/chart.yaml': app('chart', 'chart: redis, targetRevision: 1.0.0', here),
      'apps/far.yaml': app('far', 'path: far', 'name: far'),
      'apps/free.yaml': app('free', 'path: free', 'name: far'),
      'apps/names.yaml': app('names', 'path: names', 'name: far'),
      'names/all.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}\n',
      'web/all.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n',
      'web/policy.yaml':
        'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web}\nspec: {podSelector: {matchLabels: {app: webb}}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: a}}, podSelector: {matchLabels: {app: none}}}]}]}\n',
      'far/all.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: far}\nspec: {selector: {app: web}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: far, labels: {app: web}}\n',
      'free/all.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: free}\nspec: {selector: {app: free}}\n',
    };
    const external = { why: 'charts or sources outside of these files', count: 1, examples: ['apps/chart.yaml'] };
    const far = (...examples: readonly string[]) => [
      external,
      { why: 'a possibly different cluster', count: examples.length, examples },
    ];
    const notCompared = async (...words: readonly string[]) => {
      const { json } = await runInMemory([...words, '--format', 'json'], { files });
      const { notCompared: all, objects = [], selectors = [] } = json as Answer;
      const counts = [...objects, ...selectors].map((each) => each.notCompared);
      return [all, counts];
    };
    // The labels of a Namespace decide which selectors of other namespaces match.
    assert.deepEqual(await notCompared('who-selects', '--object', 'Pod/web'), [
      far('apps/far.yaml', 'apps/names.yaml'),
      [3],
    ]);
    assert.deepEqual(await notCompared('match', '--object', 'Service/web'), [far('apps/far.yaml'), [2]]);
    assert.deepEqual(await notCompared('match', '--object', 'NetworkPolicy/web'), [far('apps/names.yaml'), [2, 2, 2]]);
  });
});

describe('an ApplicationSet', () => {
  it('creates Applications for unknown clusters that are not owners of the same objects', async () => {
    const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  goTemplate: true
  generators:
  - matrix:
      generators:
      - clusters: {}
      - git: {repoURL: https://git.example.com/shop.git, revision: HEAD, directories: [{path: apps/*}]}
  template:
    metadata: {name: '{{.path.basename}}-{{.name}}'}
    spec:
      source: {repoURL: https://git.example.com/shop.git, path: '{{.path.path}}'}
      destination: {server: '{{.server}}', namespace: shop}
`;
    const files = { 'argocd/apps.yaml': set, 'apps/a/map.yaml': map('a'), 'apps/b/map.yaml': map('b') };
    const objects = await built(files);
    assert.deepEqual(
      objects.map((each) => each.replace(/^.*: /, '')),
      ['ConfigMap/a in shop', 'ConfigMap/b in shop'],
    );
    assert.ok(objects.every((each) => each.startsWith('argocd/apps.yaml#')));
    assert.deepEqual(await findings(files), []);
  });
});

describe('an Application that Argo CD skips', () => {
  const skipped = (name: string) =>
    application(name, 'path: web').replace(
      'namespace: argocd}',
      "namespace: argocd, annotations: {argocd.argoproj.io/skip-reconcile: 'true'}}",
    );

  it('is named as suspended', async () => {
    const files = { ...root, 'argocd/web.yaml': skipped('web'), 'web/map.yaml': map('web') };
    const { out } = await runInMemory(['who-selects', '--object', 'ConfigMap/web'], { files });
    assert.match(out[0] ?? '', /as built by the Application in argocd\/web.yaml \(suspended\)/);
  });

  it('is named as suspended if a template of a chart defines it', async () => {
    const files = {
      'argocd/apps.yaml': application('apps', 'path: apps', 'namespace: argocd'),
      'apps/Chart.yaml': 'apiVersion: v2\nname: apps\nversion: 1.0.0\n',
      'apps/values.yaml': 'skip: "true"\n',
      'apps/templates/web.yaml': skipped('web').replace("'true'", '{{ .Values.skip | quote }}'),
      'web/map.yaml': map('web'),
    };
    const { out } = await runInMemory(['who-selects', '--object', 'ConfigMap/web'], { files });
    assert.match(out[0] ?? '', /as built by the Application in apps\/templates\/web.yaml\S* \(suspended\)/);
  });
});
