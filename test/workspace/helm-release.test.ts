/** Tests what HelmReleases of Flux install: the objects of a chart in the same repository. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { lines } from '../harness/margin.ts';
import { type Files, flux } from './gitops/flux-files.ts';
import { built, root, service, workspaceOf } from './kustomizations.ts';

/** A HelmRelease with a chart in the repository; `chart` are further fields of the chart, `spec` of the object. */
function release(name: string, spec: string, chart = ''): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: flux-system}
spec:
  interval: 1m
  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: flux-system}${chart}}}
  ${spec}
`;
}

const web = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels: {app: "{{ .Values.app }}"}
spec: {selector: {app: "{{ .Values.app }}"}}
`;

const hook = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-install}}
`;

const chart = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/values.yaml': 'app: default\n',
  'charts/web/templates/web.yaml': web,
};

const owner = (name: string) => `helm.toolkit.fluxcd.io/name=${name}, helm.toolkit.fluxcd.io/namespace=flux-system`;

/** The installed objects; the labels of the Service with the given text are compared as text. */
function installed(spec: string, chartFields = '', files: Readonly<Record<string, string>> = {}): string {
  return built({ ...chart, ...files, 'release.yaml': release('web', spec, chartFields) }, `${root}/release.yaml`);
}

/** The label `app` of the installed Service. */
function appLabel(text: string): string {
  return /metadata\.labels: app=([^\n]*?), helm/.exec(text)?.[1] ?? 'none';
}

/** The name of the release that installs the chart. */
function nameOf(name: string, spec: string): string | undefined {
  const workspace = workspaceOf({ ...chart, 'release.yaml': release(name, spec) });
  return workspace.rendering(`${root}/release.yaml`, catalogue)?.objects[0]?.object.name?.text;
}

describe('a HelmRelease', () => {
  it('installs the chart with its values and its name, into its namespace', () => {
    assert.equal(
      installed('values: {app: shop}'),
      lines(`
        Service/web in flux-system
          metadata.labels: app=shop, ${owner('web')}
          spec.selector: app=shop
      `),
    );
    assert.match(installed('targetNamespace: prod'), /^Service\/prod-web in prod\n {2}metadata\.labels: app=default/);
  });

  it('is in one scope with the objects of the chart, which is in no other scope', () => {
    const workspace = workspaceOf({ ...chart, 'release.yaml': release('web', 'targetNamespace: prod') });
    const kinds = workspace
      .scopes()
      .all()
      .map(({ kind }) => kind);
    assert.deepEqual(kinds, ['helm-release', 'folder']);
    const [, folder] = workspace.scopes().all();
    assert.equal(folder?.closed, true);
  });

  it('has a name that Helm accepts', () => {
    assert.equal(nameOf('web', 'releaseName: other'), 'other');
    assert.equal(nameOf('web', 'targetNamespace: prod'), 'prod-web');
    assert.equal(nameOf('web', 'suspend: true'), 'web');
    // Forty characters, and the first twelve digits of the hash of the whole name (scenario 17).
    const long = 'a'.repeat(30);
    assert.equal(nameOf(long, `targetNamespace: ${'b'.repeat(30)}`), `${'b'.repeat(30)}-${'a'.repeat(9)}-a0d92a5f93ee`);
  });

  it('has the values of other files instead of those of the chart (scenario 16)', () => {
    const files = { 'charts/web/values-prod.yaml': 'app: prod\n', 'more.yaml': 'other: x\n' };
    const label = (fields: string, values = 'suspend: false') => appLabel(installed(values, `, ${fields}`, files));
    assert.equal(label('valuesFiles: [charts/web/values-prod.yaml]'), 'prod');
    assert.equal(label('valuesFiles: [./charts/web/values.yaml, charts/web/values-prod.yaml]'), 'prod');
    assert.equal(label('valuesFiles: [charts/web/values-prod.yaml, charts/web/values.yaml]'), 'default');
    assert.equal(label('valuesFiles: [charts/web/values-prod.yaml]', 'values: {app: own}'), 'own');
    // The chart's own values are not read.
    assert.equal(label('valuesFiles: [more.yaml]'), '');
    assert.equal(label('valuesFiles: [missing.yaml]'), '{{ .Values.app }}');
    assert.equal(label('valuesFiles: [missing.yaml, more.yaml], ignoreMissingValuesFiles: true'), '');
  });

  it('has the values of ConfigMaps, below its own values', () => {
    const values = (name: string, app: string, key = 'values.yaml') =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: flux-system}\ndata:\n  ${key}: |\n    app: ${app}\n`;
    const files = { 'one.yaml': values('one', 'first'), 'two.yaml': values('two', 'second', 'other') };
    const label = (from: string, more = '') => appLabel(installed(`valuesFrom: [${from}]\n  ${more}`, '', files));
    const one = '{kind: ConfigMap, name: one}';
    assert.equal(label(one), 'first');
    assert.equal(label(`${one}, {kind: ConfigMap, name: two, valuesKey: other}`), 'second');
    assert.equal(label(one, 'values: {app: own}'), 'own');
    const unknown = '{{ .Values.app }}';
    assert.equal(label('{kind: ConfigMap, name: two}'), unknown);
    assert.equal(label('{kind: ConfigMap, name: missing, optional: true}'), unknown);
    assert.equal(label('{kind: Secret, name: one}'), unknown);
    // A variable decides the value.
    assert.equal(appLabel(installed(`valuesFrom: [${one}]`, '', { 'one.yaml': values('one', `\${APP}`) })), unknown);
  });

  it('has no values of ConfigMaps that are only in other clusters', () => {
    const from = release('web', 'valuesFrom: [{kind: ConfigMap, name: one}]');
    const one = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: flux-system}\ndata: {values.yaml: "app: own"}\n`;
    const cluster = (name: string, values: string) => ({
      [`clusters/${name}/root.yaml`]: flux('flux-system', `path: clusters/${name}`),
      [`clusters/${name}/release.yaml`]: from,
      [`clusters/${name}/one.yaml`]: values,
    });
    const label = (name: string) =>
      appLabel(built({ ...chart, ...cluster('a', ''), ...cluster('b', one) }, `${root}/clusters/${name}/release.yaml`));
    assert.equal(label('b'), 'own');
    assert.equal(label('a'), '{{ .Values.app }}');
  });

  it('has the values that are equal in all versions, if clusters patch it differently', () => {
    const cluster = (name: string, operations: string) => ({
      [`clusters/${name}/root.yaml`]: flux('flux-system', `path: clusters/${name}/apps`),
      [`clusters/${name}/apps/kustomization.yaml`]: `resources: [../../../shared]
patches: [{target: {kind: HelmRelease}, patch: '${operations}'}]
`,
    });
    const values = (name: string, app: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: flux-system}\ndata: {values.yaml: "app: ${app}"}\n`;
    const files = {
      'shared/kustomization.yaml': 'resources: [release.yaml, one.yaml, two.yaml]\n',
      'shared/one.yaml': values('one', 'own'),
      'shared/two.yaml': values('two', 'api'),
      'charts/web/templates/web.yaml': web.replace('}}"}', '}}", tier: "{{ .Values.tier }}"}'),
      'charts/web/values.yaml': 'app: default\ntier: front\n',
    };
    const labels = (a: string, b: string, spec = 'values: {app: own}') => {
      const shared = { 'shared/release.yaml': release('web', spec) };
      const text = built({ ...chart, ...files, ...shared, ...cluster('a', a), ...cluster('b', b) }, releasePath);
      return /metadata\.labels: (.*?), helm/.exec(text)?.[1];
    };
    const releasePath = `${root}/shared/release.yaml`;
    const replace = (app: string) => `[{op: replace, path: /spec/values/app, value: ${app}}]`;
    const add = (key: string, value: string) => `[{op: add, path: /spec/values/${key}, value: ${value}}]`;
    const [app, tier] = ['{{ .Values.app }}', '{{ .Values.tier }}'];
    assert.equal(labels(replace('api'), replace('api')), 'app=api, tier=front');
    assert.equal(labels(replace('own'), replace('api')), `app=${app}, tier=front`);
    assert.equal(labels(add('tier', 'back'), replace('own')), `app=own, tier=${tier}`);
    assert.equal(labels(add('replicas', '2'), add('replicas', '3')), 'app=own, tier=front');
    assert.equal(labels(add('labels', '{x: y}'), '[{op: remove, path: /spec/values}]'), `app=${app}, tier=front`);
    assert.equal(labels('[{op: add, path: /spec/interval, value: 5m}]', replace('own')), 'app=own, tier=front');
    const deletion =
      '{$patch: delete, apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: web}}';
    assert.equal(labels(deletion, replace('api')), 'app=api, tier=front');
    // The second ConfigMap takes precedence.
    const spec = 'valuesFrom: [{kind: ConfigMap, name: one}, {kind: ConfigMap, name: two}]';
    const remove = (index: number) => `[{op: remove, path: /spec/valuesFrom/${index}}]`;
    const replaceFrom = (name: string) => `[{op: replace, path: /spec/valuesFrom/1/name, value: ${name}}]`;
    assert.equal(labels(remove(1), remove(1), spec), 'app=own, tier=front');
    assert.equal(labels(remove(0), remove(1), spec), `app=${app}, tier=front`);
    assert.equal(labels(remove(1), replaceFrom('one'), spec), 'app=own, tier=front');
    assert.equal(labels(remove(1), replaceFrom('missing'), spec), `app=${app}, tier=${tier}`);
    const own = '[{op: add, path: /spec/values, value: {app: api}}]';
    assert.equal(labels(own, remove(0), spec), 'app=api, tier=front');
    assert.equal(labels(own, replaceFrom('missing').replace(']', `, ${own.slice(1)}`), spec), `app=api, tier=${tier}`);
  });

  it('has the values of ConfigMaps that the kustomization around it generates from files', () => {
    const config =
      'nameReference:\n- {kind: ConfigMap, fieldSpecs: [{path: spec/valuesFrom/name, kind: HelmRelease}]}\n';
    const generator = (fields = 'files: [values.yaml=app.yaml]') => `configMapGenerator: [{name: one, ${fields}}]\n`;
    const configured = `${generator()}configurations: [config.yaml]\n`;
    const label = (kustomization: string, more: Files = {}, from = '{kind: ConfigMap, name: one}') => {
      const files = {
        'apps/kustomization.yaml': `namespace: flux-system\nresources: [release.yaml]\n${kustomization}`,
        'apps/config.yaml': config,
        'apps/app.yaml': 'app: generated\n',
        'apps/release.yaml': release('web', `valuesFrom: [${from}]`),
        'cluster/apps.yaml': flux('apps', 'path: ./apps'),
      };
      return appLabel(built({ ...chart, ...files, ...more }, `${root}/apps/release.yaml`));
    };
    const unknown = '{{ .Values.app }}';
    assert.equal(label(configured), 'generated');
    assert.equal(label(configured, { 'apps/app.yaml': 'other: x\n' }), 'default');
    const [, spec = ''] = config.split('- ');
    assert.equal(label(configured, { 'apps/config.yaml': `nameReference: [${spec.trim()}]\n` }), 'generated');
    assert.equal(label(configured, { 'apps/config.yaml': `nameReference:\n  [${spec.trim()}]\n` }), 'generated');
    const plain = `generatorOptions: {disableNameSuffixHash: true}\n${generator('files: [app.yaml]')}`;
    assert.equal(label(plain, {}, '{kind: ConfigMap, name: one, valuesKey: app.yaml}'), 'generated');
    assert.equal(label(plain), unknown);
    const both = generator('literals: [a=b], files: [c=config.yaml, values.yaml=app.yaml]');
    assert.equal(label(`${both}configurations: [config.yaml]\n`), 'generated');
    // Without the configuration, the name in the release has no hash.
    assert.equal(label(generator()), unknown);
    assert.equal(label(configured, { 'apps/config.yaml': config.replace('valuesFrom', 'x') }), unknown);
    assert.equal(label(configured.replace('configMap', 'secret')), unknown);
    assert.equal(label(configured.replace('one,', 'one, envs: [x.env],')), unknown);
    assert.equal(label(`${plain.replace('[app', '[values.yaml=app')}namePrefix: x-\n`), unknown);
    assert.equal(label(configured, { 'apps/app.yaml': `app: \${APP}\n` }), unknown);
    assert.equal(label(configured, { 'apps/app.yaml': 'app: ENC[AES256_GCM,data:x]\n' }), unknown);
    // Another kustomization, or a patch, may change the content.
    const overlay = {
      'over/kustomization.yaml': `resources: [../apps]\n${generator('behavior: merge, literals: [values.yaml=x]')}`,
      'cluster/apps.yaml': flux('apps', 'path: ./over'),
    };
    assert.equal(label(configured, overlay), unknown);
    assert.equal(label(configured, { ...overlay, 'over/kustomization.yaml': 'resources: [../apps]\n' }), 'generated');
    const patch = `patches: [{target: {kind: ConfigMap}, patch: '[{op: remove, path: /data}]'}]\n`;
    assert.equal(label(configured + patch), unknown);
    assert.equal(label(configured, { 'cluster/second.yaml': flux('second', 'path: ./apps') }), unknown);
  });

  it('has its own values, and those of later ConfigMaps, although earlier values are unknown', () => {
    const later = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later}\ndata: {values.yaml: "labels: {b: later}"}\n`;
    const template = `apiVersion: v1
kind: Pod
metadata:
  name: x
  labels:
    app: "{{ .Values.app }}"
    other: "{{ .Values.other.deep }}"
    later: "{{ .Values.labels.b }}"
`;
    const files = { 'later.yaml': later, 'charts/web/templates/web.yaml': template };
    const labels = (from: string, values: string) => {
      const text = installed(`valuesFrom: [{kind: Secret, name: x}${from}]\n  values: ${values}`, '', files);
      return /metadata\.labels: (.*?), helm/.exec(text)?.[1];
    };
    const unknown = '{{ .Values.other.deep }}';
    const b = '{{ .Values.labels.b }}';
    assert.equal(labels('', '{app: own, labels: {a: own}}'), `app=own, other=${unknown}, later=${b}`);
    const both = ', {kind: ConfigMap, name: later}';
    assert.equal(labels(both, '{other: {deep: x}}'), 'app={{ .Values.app }}, other=x, later=later');
    // A value at a path takes precedence over own values.
    assert.equal(
      labels(', {kind: Secret, name: y, targetPath: app}', '{app: own, labels: {}}'),
      `app={{ valuesFrom }}, other=${unknown}, later=${b}`,
    );
  });

  it('has the values of Secrets that are not encrypted', () => {
    const secret = (fields: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: one, namespace: flux-system}\n${fields}\n`;
    const label = (fields: string, from = '') =>
      appLabel(installed(`valuesFrom: [{kind: Secret, name: one${from}}]`, '', { 'one.yaml': secret(fields) }));
    assert.equal(label('stringData: {values.yaml: "app: shop"}'), 'shop');
    assert.equal(label('data: {values.yaml: YXBwOiBzaG9w}'), 'shop');
    assert.equal(label('data: {app: c2hvcA==}', ', valuesKey: app, targetPath: app'), 'shop');
    assert.equal(label('data: {values.yaml: "ENC[AES256_GCM,data:x]"}\nsops: {mac: x}'), '{{ .Values.app }}');
    assert.equal(label('data: {other: YXBwOiBzaG9w}'), '{{ .Values.app }}');
  });

  it('may install a dependency if the first value of its condition is unknown', () => {
    const files = {
      'charts/web/Chart.yaml': `${chart['charts/web/Chart.yaml']}dependencies: [{name: redis, condition: 'redis.enabled,cache.enabled'}]\n`,
      'charts/web/charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
      'charts/web/charts/redis/templates/redis.yaml': service.replace('name: web', 'name: redis'),
    };
    const hasRedis = (spec: string) => installed(spec, '', files).includes('Service/redis');
    const values = 'values: {cache: {enabled: false}}';
    const secret = (fields: string) => `valuesFrom: [{kind: Secret, name: x${fields}}]\n  ${values}`;
    assert.equal(hasRedis(values), false);
    assert.equal(hasRedis(secret('')), true);
    assert.equal(hasRedis(secret(', targetPath: redis.enabled')), true);
    assert.equal(hasRedis(secret(', targetPath: redis.other')), false);
  });

  it('has the values of ConfigMaps with the variables of the Kustomization that applies them', () => {
    const values = `apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: flux-system}
data:
  values.yaml: |
    app: \${APP}
`;
    const label = (variables: string, more: Files = {}) => {
      const kustomization = flux('all', `path: ./config, ${variables}`);
      const files = { 'config/one.yaml': values, 'cluster/all.yaml': kustomization, ...more };
      return appLabel(installed('valuesFrom: [{kind: ConfigMap, name: one}]', '', files));
    };
    assert.equal(label('postBuild: {substitute: {APP: shop}}'), 'shop');
    // Without variables, the text stays as it is.
    assert.equal(label('prune: true'), `\${APP}`);
    assert.equal(label('postBuild: {substituteFrom: [{kind: Secret, name: x}]}'), '{{ .Values.app }}');
    const disabled = values.replace('system}', 'system, labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}}');
    assert.equal(label('postBuild: {substitute: {APP: shop}}', { 'config/one.yaml': disabled }), `\${APP}`);
    const second = { 'cluster/second.yaml': flux('second', 'path: ./config, postBuild: {substitute: {APP: other}}') };
    assert.equal(label('postBuild: {substitute: {APP: shop}}', second), '{{ .Values.app }}');
  });

  it('has single values of ConfigMaps and Secrets, above its own values', () => {
    const files = {
      'one.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: flux-system}\ndata: {app: first, two: "a,b"}\n',
    };
    const label = (from: string) => appLabel(installed(`valuesFrom: [{${from}}]\n  values: {app: own}`, '', files));
    assert.equal(label('kind: ConfigMap, name: one, valuesKey: app, targetPath: app'), 'first');
    assert.equal(label('kind: ConfigMap, name: one, valuesKey: app, targetPath: other'), 'own');
    assert.equal(label('kind: ConfigMap, name: one, valuesKey: two, targetPath: app, literal: true'), 'a,b');
    assert.match(label('kind: ConfigMap, name: one, valuesKey: two, targetPath: app'), /\{\{/);
    assert.match(label('kind: Secret, name: one, valuesKey: app, targetPath: app'), /\{\{/);
    assert.equal(label('kind: Secret, name: one, valuesKey: app, targetPath: other'), 'own');
  });

  it('installs the definitions of the chart unless it skips them', () => {
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: xs.example.com}\n';
    const files = { 'charts/web/crds/x.yaml': crd };
    assert.match(
      installed('suspend: false', '', files),
      /^CustomResourceDefinition\/xs.example.com\n {2}metadata.labels: helm/,
    );
    assert.doesNotMatch(installed('install: {crds: Skip}', '', files), /CustomResourceDefinition/);
  });

  it('may have a chart in a bucket', () => {
    const bucket = release('web', 'suspend: false').replace('GitRepository', 'Bucket');
    assert.match(built({ ...chart, 'release.yaml': bucket }, `${root}/release.yaml`), /^Service\/web/);
  });

  it('changes objects by post renderers and common metadata, but no hooks', () => {
    const patch = "[{op: add, path: /metadata/labels/patched, value: 'yes'}]";
    const spec = `commonMetadata: {labels: {team: blue}}\n  postRenderers: [{kustomize: {patches: [{target: {kind: Service}, patch: "${patch}"}]}}]`;
    assert.equal(
      installed(spec, '', { 'charts/web/templates/hook.yaml': hook }),
      lines(`
        Job/migrate in flux-system
          metadata.annotations: helm.sh/hook=pre-install
        Service/web in flux-system
          metadata.labels: app=default, patched=yes, ${owner('web')}, team=blue
          spec.selector: app=default
      `),
    );
  });

  it('installs objects that are in no file if its chart is elsewhere (scenario 18)', () => {
    const remote = release('web', 'suspend: false').replace('GitRepository', 'HelmRepository');
    const workspace = workspaceOf({ 'release.yaml': remote, 'web.yaml': service });
    const [scope, folder] = workspace.scopes().all();
    assert.notEqual(scope?.closed, true);
    assert.equal(scope?.namespace, 'flux-system');
    assert.notEqual(folder?.closed, true);
  });
});
