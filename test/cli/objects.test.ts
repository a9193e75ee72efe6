/** Tests that `objects` lists the objects of the workspace, once for each scope. */
import assert from 'node:assert/strict';
import { goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

interface Shown {
  readonly pods?: readonly object[];
  readonly selectors: readonly object[];
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly open?: true;
  readonly file: string;
  readonly scope: { readonly kind: string; readonly path: string };
}

async function objects(
  files: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<readonly Shown[]> {
  const { code, json } = await runInMemory(['objects', '--format', 'json', ...words], { files });
  assert.equal(code, 0);
  return (json as { objects: readonly Shown[] }).objects;
}

const scopes = (shown: readonly Shown[]) =>
  shown.map(({ kind, name, scope }) => `${scope.kind} ${scope.path}: ${kind}/${name}`);

describe('objects', () => {
  it('have the documented shape', async () => {
    const text = service.replace(
      '    app: web\nspec',
      "    app: web\n    tier: '{{ .tier }}'\n  annotations: {a: b}\nspec",
    );
    assert.deepEqual(await objects({ 'apps/service.yaml': text }), [
      {
        group: '',
        version: 'v1',
        kind: 'Service',
        namespace: 'shop',
        name: 'web',
        labels: { app: 'web', tier: null },
        unknown: ['tier'],
        annotations: { a: 'b' },
        selectors: [{ path: 'spec.selector', canonical: 'app=web' }],
        file: 'apps/service.yaml',
        line: 2,
        scope: { kind: 'folder', path: 'apps' },
      },
    ]);
  });

  it('are listed once in each scope that applies them', async () => {
    const files = {
      'base/web.yaml': web,
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'dev/kustomization.yaml': 'resources: [../base]\n',
      'prod/kustomization.yaml': 'resources: [../base]\n',
      'plain/prices.yaml': goodPrices,
    };
    assert.deepEqual(scopes(await objects(files)), [
      'kustomization dev: Deployment/web',
      'kustomization prod: Deployment/web',
      'folder plain: ConfigMap/prices',
    ]);
  });

  it('do not include the contents of generated ConfigMaps', async () => {
    const files = {
      'kustomization.yaml': `generators: [generator.yaml]
configMapGenerator:
- name: dashboards
  files: [web.yaml, prices=prices.yaml, settings.yaml]
`,
      'generator.yaml': `apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: more}
files: [key=service.yaml]
`,
      'web.yaml': web,
      'prices.yaml': goodPrices,
      'service.yaml': service,
      'settings.yaml': 'level: info\n',
    };
    const built = await objects(files);
    assert.deepEqual(
      built.map(({ kind, scope }) => `${scope.kind} ${kind}`),
      ['kustomization ConfigMap'],
    );
    const all = await objects({ ...files, 'other/kustomization.yaml': 'resources: [../web.yaml]\n' });
    assert.ok(scopes(all).includes('kustomization other: Deployment/web'));
  });

  it('show the current folder as a dot, and parent folders as two', async () => {
    const files = {
      'kustomization.yaml': 'resources: [web.yaml]\n',
      'web.yaml': web,
      '../.selector-lens.yaml': 'scopes:\n- {name: all, paths: [shop/prices.yaml]}\n',
      'prices.yaml': goodPrices,
    };
    const around = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name.replace('..', '/home/ada'), text]),
    );
    const shown = await objects(around, '--root', '/home/ada', '.');
    assert.deepEqual(scopes(shown), ['kustomization .: Deployment/web', 'declared ..: ConfigMap/prices']);
  });

  it('are shown as kustomizations build them', async () => {
    const files = {
      'base/web.yaml': web.replace('  namespace: shop\n', ''),
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'dev/kustomization.yaml':
        'resources: [../base]\nnamespace: dev\nnamePrefix: dev-\nlabels: [{pairs: {env: dev}}]\nconfigMapGenerator: [{name: made, literals: [a=b], options: {disableNameSuffixHash: true}}]\n',
    };
    const shown = await objects(files);
    assert.deepEqual(
      shown.map(({ kind, name, namespace, labels }) => [kind, name, namespace, labels]),
      [
        ['Deployment', 'dev-web', 'dev', { app: 'web', tier: 'front', env: 'dev' }],
        ['ConfigMap', 'dev-made', 'dev', { env: 'dev' }],
      ],
    );
    assert.deepEqual(
      shown.map(({ file }) => file),
      ['base/web.yaml', 'dev/kustomization.yaml'],
    );
  });

  it('are in no namespace if they are cluster-scoped', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: one, namespace: shop, labels: {disk: ssd}}\n';
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {nodeSelector: {disk: ssd}}\n';
    const files = { 'node.yaml': node, 'pod.yaml': pod };
    const [first] = await objects(files);
    assert.deepEqual([first?.kind, first?.namespace], ['Node', undefined]);
    const drawn = await runInMemory(['graph'], { files });
    assert.ok(drawn.out.includes('  n2["Node/one"]'), drawn.out.join('\n'));
    const listed = (...words: string[]) => runInMemory(['match', '-l', 'disk=ssd', ...words], { files });
    assert.deepEqual((await listed()).out, ['node.yaml:2: Node/one']);
    assert.deepEqual((await listed('-n', 'shop')).out, []);
    const explained = await runInMemory(['explain', '-l', 'disk', '--object', 'Node/one'], { files });
    assert.equal(explained.out[2], 'node.yaml:2: Node/one');
    const moved = {
      'old/node.yaml': node,
      'old/pod.yaml': pod,
      'new/node.yaml': node.replace('shop', 'bank'),
      'new/pod.yaml': pod,
    };
    const { out } = await runInMemory(['diff', 'old', 'new'], { files: moved });
    assert.deepEqual(out, ['No match is certainly lost or new.']);
  });

  it('are limited to kinds and a namespace, in which objects that name none are listed', async () => {
    const files = {
      'a/prices.yaml': `${goodPrices}---\n${service}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n`,
    };
    const listed = async (...words: string[]) =>
      (await objects(files, ...words)).map(({ kind, namespace }) => `${kind} ${namespace}`);
    assert.deepEqual(await listed('-n', 'given'), ['ConfigMap given']);
    assert.deepEqual(await listed('-n', 'shop'), ['ConfigMap shop', 'Service shop']);
    assert.deepEqual(await listed('--kind', 'svc,ns'), ['Service shop', 'Namespace undefined']);
    assert.deepEqual(await listed('--kind', 'svc', '-n', 'bank'), []);
    const { err } = await runInMemory(['objects', '--kind', 'servcie'], { files });
    assert.deepEqual(err, [
      "selector-lens: No objects of kind 'servcie'. Did you mean 'Service'?",
      'No objects match.',
    ]);
  });

  it('state what an empty selector matches', async () => {
    const text = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: all}
spec: {podSelector: {}}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: none}
spec: {selector: {}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeSelector:
    {{- toYaml .Values.nodeSelector | nindent 4 }}
`;
    const shown = await objects({ 'all.yaml': text });
    assert.deepEqual(
      shown.map(({ selectors }) => selectors),
      [
        [{ path: 'spec.podSelector', canonical: '', matches: 'everything' }],
        [{ path: 'spec.selector', canonical: '', matches: 'nothing' }],
        [{ path: 'spec.nodeSelector', canonical: '', matches: 'unknown' }],
      ],
    );
  });

  it('state the labels of the pods that they create', async () => {
    const job = `apiVersion: batch/v1
kind: CronJob
metadata: {name: clean}
spec:
  jobTemplate:
    metadata: {labels: {job: clean}}
    spec: {template: {metadata: {labels: {app: clean, tier: '{{ .tier }}'}}}}
`;
    const subscription = 'apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: operator}\n';
    const shown = await objects({ 'web.yaml': web, 'job.yaml': `${job}---\n${subscription}`, 'service.yaml': service });
    assert.deepEqual(
      shown.map(({ kind, pods }) => [kind, pods]),
      [
        ['CronJob', [{ via: 'spec.jobTemplate.spec.template', labels: { app: 'clean', tier: null } }]],
        ['Subscription', [{ via: '', labels: {}, open: true }]],
        ['Service', undefined],
        ['Deployment', [{ via: 'spec.template', labels: { app: 'web', tier: 'pod' } }]],
      ],
    );
  });

  it('state whether they may have other labels', async () => {
    const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
  labels:
    app: web
    {{- toYaml .Values.labels | nindent 4 }}
spec:
  template:
    metadata:
      labels: {{- toYaml .Values.podLabels | nindent 8 }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: b}
spec: {template: {metadata: {}}}
`;
    const files = { 'all.yaml': text };
    assert.deepEqual(
      (await objects(files)).map(({ labels, open, pods }) => ({ labels, open, pods })),
      [
        { labels: { app: 'web' }, open: true, pods: [{ via: 'spec.template', labels: {}, open: true }] },
        { labels: {}, open: undefined, pods: [{ via: 'spec.template', labels: {} }] },
      ],
    );
    assert.deepEqual((await runInMemory(['objects'], { files })).out, [
      'folder .:',
      '  Deployment/a {app=web, ...}  all.yaml:2',
      '  Deployment/b  all.yaml:14',
    ]);
  });

  it('have the annotations that replacements create', async () => {
    const files = {
      'kustomization.yaml': `resources: [all.yaml]
replacements:
- source: {kind: ConfigMap, fieldPath: data.owner}
  targets:
  - {select: {kind: Service}, fieldPaths: [metadata.annotations.owner], options: {create: true}}
`,
      'all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: facts}
data: {owner: blue}
---
apiVersion: v1
kind: Service
metadata: {name: web}
`,
    };
    const [, shown] = await objects(files);
    assert.deepEqual(shown?.annotations, { owner: 'blue' });
  });

  it('of a kind whose definition has an empty scope have a namespace', async () => {
    const files = (scope: string) => ({
      'kustomization.yaml': 'namespace: shop\nresources: [all.yaml]\n',
      'all.yaml': `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: "${scope}"
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1}]
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
`,
    });
    const namespace = async (scope: string) =>
      (await objects(files(scope))).find(({ kind }) => kind === 'Widget')?.namespace;
    assert.equal(await namespace(''), 'shop');
    assert.equal(await namespace('Cluster'), undefined);
  });

  it('are listed under their scopes as text', async () => {
    const { out } = await runInMemory(['objects'], { files: { 'a/prices.yaml': goodPrices, 'b/web.yaml': web } });
    assert.deepEqual(out, [
      'folder a:',
      '  ConfigMap/prices {app=prices, tier=data}  a/prices.yaml:2',
      '',
      'folder b:',
      '  Deployment/web in shop {app=web, tier=front}  b/web.yaml:2',
    ]);
  });

  it('of kustomizations that kustomize cannot build may not exist', async () => {
    const kustomization = (patch: string) =>
      `resources: [web.yaml]\npatches:\n- target: {kind: Deployment}\n  ${patch}\n`;
    const files = {
      'bad/kustomization.yaml': kustomization('patch: \'[{"op": "repalce", "path": "/spec/replicas", "value": 1}]\''),
      'bad/web.yaml': web,
      'file/kustomization.yaml': kustomization('path: patch.yaml'),
      'file/patch.yaml': '- {op: remove, path: /metadata/labels/none, value: 1}\n- {path: /spec/replicas, value: 1}\n',
      'file/web.yaml': web,
      'good/kustomization.yaml': kustomization('patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 1}]\''),
      'good/web.yaml': web,
    };
    const { out, err } = await runInMemory(['objects'], { files });
    assert.deepEqual(
      out.map((line) => line.includes('may not exist')),
      [false, true, false, false, true, false, false, false],
    );
    assert.deepEqual(err, [
      "selector-lens: kustomize cannot build bad, so its objects may not exist: bad/kustomization.yaml:4: `op` must be 'add', 'remove', 'replace', 'move', 'copy' or 'test', not 'repalce'. `kustomize build` fails.",
      "selector-lens: kustomize cannot build file, so its objects may not exist: file/kustomization.yaml:3: Deployment/web has no '/metadata/labels/none' to remove; `kustomize build` fails.",
    ]);
  });
});
