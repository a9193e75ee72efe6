/** Tests that `review` is complete beside charts of a registry and other repositories, but only if a change cannot change them. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { home, runInMemory } from './memory-world.ts';
import { type Files, neutral } from './review-world.ts';

const image = (version: number) => `${web}    spec:\n      containers: [{name: web, image: web:${version}}]\n`;
const from = (version: number) => ({ 'web/web.yaml': image(version), 'web/service.yaml': service });
/** A HelmRelease of a chart in a registry. */
const chartOf = (version: string, values = 'a: 1') =>
  `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: shop}
spec:
  interval: 1h
  chart:
    spec:
      chart: redis
      version: "${version}"
      sourceRef: {kind: HelmRepository, name: charts}
  values: {${values}}
`;

/** An Application of Argo CD. */
const application = (source: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: redis, namespace: argocd}
spec:
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  ${source}
`;
const registry = 'repoURL: https://charts.example.com, chart: redis, targetRevision: 1.0.0';
const build = (url: string, more = '') => `resources: [web.yaml, '${url}']\n${more}`;
const pinned = 'https://github.com/acme/base//deploy?ref=v1.2.0';

const verdicts = async (old: Files, fresh: Files) => {
  const { out } = await runInMemory(['review', 'main'], { files: fresh, repositories: [home], commits: { main: old } });
  return { verdict: out[0] ?? '', end: out.at(-1) ?? '' };
};
const assertUnchanged = async (files: Files, name: string) => {
  const { verdict, end } = await verdicts({ ...files, ...from(1) }, { ...files, ...from(2) });
  assert.equal(verdict, `${neutral} Only images of 1 workload change.`);
  assert.match(end, / Not evaluated, but with the same version, values and files as before: /);
  assert.ok(end.endsWith(`: ${name}.`), end);
};
const assertIncomplete = async (old: Files, fresh: Files) => {
  const { verdict, end } = await verdicts(old, fresh);
  assert.doesNotMatch(verdict, /^No /);
  assert.match(end, /Not evaluated: /);
};

const values = (value: number) => `replicas: ${value}\n`;
const configuration = (value: number) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: redis, namespace: shop}\ndata: {values.yaml: 'tier: "${value}"'}\n`;
const source = (tag: string) =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: redis, namespace: shop}\nspec: {interval: 1h, url: 'oci://example.com/redis', ref: {tag: ${tag}}}\n`;
const byReference = chartOf('1.0.0').replace(
  /chart:\n.*version[^\n]*\n[^\n]*\n/s,
  'chartRef: {kind: OCIRepository, name: redis}\n',
);
const valuesFrom = chartOf('1.0.0').replace('  values: {a: 1}', '  valuesFrom: [{kind: ConfigMap, name: redis}]');
const patch = (value: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: base}\nspec: {selector: {app: ${value}}}\n`;
const withValues =
  'helmCharts: [{name: redis, repo: https://charts.example.com, version: 1.0.0, valuesFile: redis.yaml}]\n';
const referring = application(
  `sources: [{${registry}, helm: {valueFiles: [$own/values/redis.yaml]}}, {repoURL: https://github.com/acme/shop, targetRevision: HEAD, ref: own}]`,
);
const generator = 'configMapGenerator: [{name: redis, namespace: shop, files: [values.yaml]}]\n';
const named = `${generator}generatorOptions: {disableNameSuffixHash: true}\n`;
const chartFiles: Files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'tier: front\n',
  'chart/templates/web.yaml': `${web.replace(/tier: pod\n$/, 'tier: {{ .Values.tier }}\n')}`,
};
const needs = (version: string) =>
  `${chartFiles['chart/Chart.yaml']}dependencies: [{name: redis, version: ${version}, repository: https://charts.example.com}]\n`;
const operator = (size: number) =>
  `apiVersion: example.com/v1\nkind: Cache\nmetadata: {name: redis, namespace: shop}\nspec: {size: ${size}}\n`;
const replacement =
  'replacements: [{source: {kind: Deployment, name: web, fieldPath: metadata.name}, targets: [{select: {kind: Service}, fieldPaths: [spec.selector.app]}]}]\n';

/** Changes of what GitOps objects install. */
const changedReleases: readonly (readonly [old: Files, fresh: Files])[] = [
  [{ 'redis.yaml': chartOf('1.0.0') }, { 'redis.yaml': chartOf('1.0.1') }],
  [{ 'redis.yaml': chartOf('1.0.0') }, { 'redis.yaml': chartOf('1.0.0', 'a: 2') }],
  [{ 'redis.yaml': chartOf('1.0.0') }, {}],
  [{}, { 'redis.yaml': chartOf('1.0.0') }],
  [
    { 'redis.yaml': valuesFrom, 'config.yaml': configuration(1) },
    { 'redis.yaml': valuesFrom, 'config.yaml': configuration(2) },
  ],
  [
    { 'flux/redis.yaml': valuesFrom, 'flux/kustomization.yaml': named, 'flux/values.yaml': values(1) },
    { 'flux/redis.yaml': valuesFrom, 'flux/kustomization.yaml': named, 'flux/values.yaml': values(2) },
  ],
  [
    { 'redis.yaml': byReference, 'source.yaml': source('1.0.0') },
    { 'redis.yaml': byReference, 'source.yaml': source('2.0.0') },
  ],
  [
    { 'redis.yaml': referring, 'values/redis.yaml': values(1) },
    { 'redis.yaml': referring, 'values/redis.yaml': values(2) },
  ],
  [
    { 'redis.yaml': application(`source: {${registry}}`) },
    { 'redis.yaml': application(`source: {${registry}, helm: {values: 'tier: x'}}`) },
  ],
];

/** Changes of what kustomizations and charts include. */
const changedBuilds: readonly (readonly [old: Files, fresh: Files])[] = [
  [
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.0'), 'chart/Chart.lock': 'a' },
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.0'), 'chart/Chart.lock': 'b' },
  ],
  [{ 'web/kustomization.yaml': build(pinned) }, { 'web/kustomization.yaml': build(pinned.replace('1.2', '1.3')) }],
  [
    { 'web/kustomization.yaml': build(pinned) },
    { 'web/kustomization.yaml': build(pinned, 'commonLabels: {tier: x}\n') },
  ],
  [
    { 'web/kustomization.yaml': build(pinned, 'labels: [{pairs: {tier: x}}]\n') },
    { 'web/kustomization.yaml': build(pinned, 'labels: [{pairs: {tier: y}}]\n') },
  ],
  [
    { 'web/kustomization.yaml': build(pinned, 'patches: [{path: patch.yaml}]\n'), 'web/patch.yaml': patch('a') },
    { 'web/kustomization.yaml': build(pinned, 'patches: [{path: patch.yaml}]\n'), 'web/patch.yaml': patch('b') },
  ],
  [
    {
      'base/kustomization.yaml': build(pinned).replace('web.yaml', '../web/web.yaml'),
      'overlay/kustomization.yaml': 'resources: [../base]\n',
    },
    {
      'base/kustomization.yaml': build(pinned).replace('web.yaml', '../web/web.yaml'),
      'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
    },
  ],
  [
    { 'web/kustomization.yaml': build('service.yaml', withValues), 'web/redis.yaml': values(1) },
    { 'web/kustomization.yaml': build('service.yaml', withValues), 'web/redis.yaml': values(2) },
  ],
  [{ 'web/kustomization.yaml': build(pinned, replacement) }, { 'web/kustomization.yaml': build(pinned, replacement) }],
  [
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.0') },
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.1') },
  ],
  [
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.0') },
    { ...chartFiles, 'chart/Chart.yaml': needs('1.0.0'), 'chart/values.yaml': 'tier: front\nredis: {x: 1}\n' },
  ],
  [
    { 'build/kustomization.yaml': 'resources: [cache.yaml]\n', 'build/cache.yaml': operator(1) },
    { 'build/kustomization.yaml': 'resources: [cache.yaml]\n', 'build/cache.yaml': operator(2) },
  ],
];

describe('a review beside parts that are in no file', () => {
  it('says that nothing changes if these parts have fixed versions, and nothing that they use changes', async () => {
    await assertUnchanged({ 'redis.yaml': chartOf('1.0.0') }, 'chart redis');
    // The repository in the same file has the name of the release.
    const repository = `apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: redis, namespace: shop}\nspec: {interval: 1h, url: 'https://charts.example.com'}\n`;
    const release = chartOf('1.0.0').replace('name: charts', 'name: redis');
    await assertUnchanged({ 'redis.yaml': `${repository}---\n${release}` }, 'chart redis');
    await assertUnchanged({ 'redis.yaml': application(`source: {${registry}}`) }, 'chart redis');
    await assertUnchanged({ 'web/kustomization.yaml': build(pinned) }, `resource ${pinned}`);
    const inflated = 'helmCharts: [{name: redis, repo: https://charts.example.com, version: 1.0.0}]\n';
    await assertUnchanged({ 'web/kustomization.yaml': build('service.yaml', inflated) }, 'chart redis');
    const needs = 'dependencies: [{name: redis, version: 1.0.0, repository: https://charts.example.com}]\n';
    await assertUnchanged(
      { ...chartFiles, 'chart/Chart.yaml': `${chartFiles['chart/Chart.yaml']}${needs}` },
      'chart redis',
    );
  });

  it('never says so if the version of such a part is not fixed', async () => {
    for (const files of [
      { 'redis.yaml': chartOf('>=1.0.0') },
      { 'redis.yaml': chartOf('1.x') },
      { 'redis.yaml': application(`source: {${registry.replace('1.0.0', "'*'")}}`) },
      {
        'redis.yaml': application('source: {repoURL: https://github.com/acme/other, path: x, targetRevision: main}'),
      },
      { 'web/kustomization.yaml': build(pinned.replace('v1.2.0', 'main')) },
      { 'web/kustomization.yaml': build(pinned.replace('?ref=v1.2.0', '')) },
      { 'web/kustomization.yaml': build('https://example.com/latest/install.yaml') },
      {
        'web/kustomization.yaml': build(
          'service.yaml',
          'helmCharts: [{name: redis, repo: https://charts.example.com}]\n',
        ),
      },
    ])
      await assertIncomplete({ ...files, ...from(1) }, { ...files, ...from(2) });
  });

  it('never says so if something that such a part reads changes, or what changes it', async () => {
    for (const [old, fresh] of [...changedReleases, ...changedBuilds])
      await assertIncomplete({ ...old, ...from(1) }, { ...fresh, ...from(2) });
  });

  it('never says so if an object changes that such a part may select or name', async () => {
    const labelled = (value: string) => ({
      ...from(1),
      'web/web.yaml': image(1).replace('tier: pod', `tier: ${value}`),
    });
    for (const files of [{ 'redis.yaml': chartOf('1.0.0') }, { 'web/kustomization.yaml': build(pinned) }])
      await assertIncomplete({ ...files, ...labelled('a') }, { ...files, ...labelled('b') });
  });
});
