/** Tests the Applications that a chart of the workspace renders ("app of apps" as a chart). */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { scopesDefinedBy } from '../../../server/src/workspace/gitops/defined-scopes.ts';
import { resolvedPaths } from '../../../server/src/workspace/gitops/resolved-paths.ts';
import { relativePath } from '../../../server/src/workspace/uri.ts';
import { lines } from '../../harness/margin.ts';
import { deployment, root, service } from '../kustomizations.ts';
import { app, type Files, loaded } from './applications.ts';

/** An Application in a template. */
const template = (name: string, source: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}}
spec:
  source: {repoURL: "{{ .Values.repo }}", ${source}}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
${more}`;

const chart = {
  'apps/Chart.yaml': 'name: apps\n',
  'apps/values.yaml':
    'repo: https://example.com/shop.git\nenv: dev\napps: [{name: a, path: svc/a}, {name: b, path: svc/b}]\n',
};

/** The scopes of Applications and kustomizations with their objects, and the reasons why scopes are open. */
async function scopesOf(files: Files): Promise<string> {
  const { workspace } = await loaded(files);
  const now = workspace.snapshot();
  const shown = now
    .scopes()
    .all()
    .filter(({ kind }) => kind !== 'folder');
  const written = shown.map(({ kind, path, closed }) => {
    const objects = now.rendering(path, catalogue)?.objects ?? [];
    const names = objects.map(({ object }) => `${object.kind}/${object.name?.text}`).join(' ');
    const open = closed === true ? '' : ` (${closed.openBecause.join(' ')})`;
    return `${kind} ${relativePath(root, path)}: ${names}${open}`;
  });
  return written.join('\n');
}

describe('the Applications of a chart', () => {
  const tenants = { 'tenants/dev/a.yaml': service, 'tenants/prod/a.yaml': deployment };

  it('are those that the release renders, with its values', async () => {
    const files = {
      ...chart,
      ...tenants,
      'apps/templates/web.yaml': template('web-{{ .Values.env }}', 'path: "tenants/{{ .Values.env }}"'),
      'root.yaml': app('root', 'path: apps, helm: {values: "env: prod"}', 'namespace: argocd'),
    };
    assert.equal(
      await scopesOf(files),
      lines(`
        argo-application root.yaml: Application/web-prod
        argo-application apps/templates/web.yaml#web-prod: Deployment/web
      `),
    );
  });

  it('may depend on values files, parameters, helpers, loops and conditions', async () => {
    const files = {
      ...chart,
      'apps/values-prod.yaml': 'apps: [{name: a, path: svc/a, active: true}, {name: b, path: svc/b}]\n',
      'apps/templates/_names.tpl': '{{- define "name" }}{{ .Release.Name }}-{{ .Values.env }}{{ end }}',
      'apps/templates/apps.yaml': `{{- range .Values.apps }}
{{- if .active }}
---
${template('{{ include "name" $ }}-{{ .name }}', 'path: {{ .path }}').replace('.Values', '$.Values')}
{{- end }}
{{- end }}
`,
      'root.yaml': app(
        'root',
        'path: apps, helm: {valueFiles: [values-prod.yaml], parameters: [{name: env, value: x}]}',
      ),
      'svc/a/a.yaml': service,
      'svc/b/a.yaml': deployment,
    };
    assert.match(await scopesOf(files), /\nargo-application apps\/templates\/apps.yaml#root-x-a: Service\/web$/);
  });

  it('have the default values if no object installs the chart', async () => {
    const files = {
      ...chart,
      ...tenants,
      'apps/templates/web.yaml': template('web-{{ .Values.env }}', 'path: "tenants/{{ .Values.env }}"'),
    };
    const reason = '(apps/templates/web.yaml contains the kind Application, whose objects are not in any file.)';
    assert.equal(
      await scopesOf(files),
      lines(`
        argo-application apps/templates/web.yaml#web-dev: Service/web
        chart apps: Application/web-dev ${reason.replace('apps/', '')}
      `),
    );
  });

  it('may install charts of Applications', async () => {
    const files = {
      ...chart,
      ...tenants,
      'apps/templates/more.yaml': template('more-{{ .Values.env }}', 'path: more, helm: {valuesObject: {env: prod}}'),
      'more/Chart.yaml': 'name: more\n',
      'more/values.yaml': 'repo: https://example.com/shop.git\n',
      'more/templates/web.yaml': template('{{ .Release.Name }}-web', 'path: "tenants/{{ .Values.env }}"'),
      'root.yaml': app('root', 'path: apps'),
    };
    assert.equal(
      await scopesOf(files),
      lines(`
        argo-application root.yaml: Application/more-dev
        argo-application apps/templates/more.yaml#more-dev: Application/more-dev-web
        argo-application more/templates/web.yaml#more-dev-web: Deployment/web
      `),
    );
  });

  it('may come from ApplicationSets of the chart', async () => {
    const files = {
      ...chart,
      ...tenants,
      'apps/templates/all.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all}
spec:
  generators: [{list: {elements: [{name: "{{ .Values.env }}"}]}}]
  template:
    metadata: {name: '{{ \`{{name}}\` }}'}
    spec:
      source: {repoURL: "{{ .Values.repo }}", path: 'tenants/{{ "{{name}}" }}'}
      destination: {server: https://kubernetes.default.svc, namespace: shop}
`,
      'root.yaml': app('root', 'path: apps'),
    };
    assert.match(await scopesOf(files), /\nargo-application apps\/templates\/all.yaml#dev: Service\/web$/);
  });

  it('are created once if an Application manages itself, because it installs the chart that contains it', async () => {
    const files = {
      ...chart,
      ...tenants,
      'apps/templates/root.yaml': template('root', 'path: apps'),
      'apps/templates/all.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all}
spec:
  generators: [{git: {repoURL: "{{ .Values.repo }}", revision: main, directories: [{path: tenants/*}]}}]
  template:
    metadata: {name: '{{ \`{{path.basename}}\` }}'}
    spec:
      source: {repoURL: "{{ .Values.repo }}", path: '{{ "{{path}}" }}'}
      destination: {server: https://kubernetes.default.svc, namespace: shop}
`,
    };
    const { workspace } = await loaded(files);
    const named = workspace
      .snapshot()
      .scopes()
      .all()
      .filter(({ gitops }) => gitops?.facts.name === 'dev');
    assert.equal(new Set(named.map(({ gitops }) => gitops?.facts.rendered?.by)).size, named.length);
  });

  it('are unknown without the values, and may then change the labels of kustomizations', async () => {
    const flux = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: apps, namespace: argocd}
spec:
  chart: {spec: {chart: apps, sourceRef: {kind: GitRepository, name: all}}}
  valuesFrom: [{kind: Secret, name: values}]
`;
    const files = (options: string) => ({
      ...chart,
      'apps/templates/web.yaml': template('web', `path: "envs/{{ .Values.env }}", kustomize: ${options}`),
      'release.yaml': flux,
      'envs/dev/kustomization.yaml': 'resources: [a.yaml]\n',
      'envs/dev/a.yaml': service,
      'other/kustomization.yaml': 'resources: [a.yaml]\n',
      'other/a.yaml': deployment,
    });
    const reason = '../../apps/templates/web.yaml may change the labels of this folder.';
    assert.equal(
      (await scopesOf(files('{commonLabels: {a: b}}')))
        .split('\n')
        .filter((line) => line.startsWith('k'))
        .join('\n'),
      `kustomization envs/dev: Service/web (${reason})\nkustomization other: Deployment/web`,
    );
    assert.match(await scopesOf(files('{nameSuffix: -x}')), /\nkustomization envs\/dev: Service\/web\n/);
  });

  it('are unknown if a kustomization changes the values of the Application that installs them', async () => {
    const patch = (path: string) => `[{op: add, path: /spec/source/${path}}]`;
    const files = (path: string) => ({
      ...chart,
      ...tenants,
      'apps/templates/web.yaml': template('web-{{ .Values.env }}', 'path: "tenants/{{ .Values.env }}"'),
      'root/app.yaml': app('root', 'path: apps, helm: {values: "env: dev"}', 'namespace: argocd'),
      'root/kustomization.yaml': `resources: [app.yaml]\npatches: [{target: {kind: Application}, patch: '${patch(path)}'}]\n`,
    });
    assert.match(await scopesOf(files('helm/values, value: "env: prod"')), /web.yaml#web-dev: (?:\n|$)/);
    assert.match(await scopesOf(files('targetRevision, value: main')), /web.yaml#web-dev: Service\/web(?:\n|$)/);
  });

  it('name folders and values files that are certain only if an Application installs the chart', async () => {
    const files = {
      '.selector-lens.yaml': 'repository: [https://example.com/shop.git]\n',
      ...chart,
      ...tenants,
      'apps/templates/web.yaml': template('web', 'path: "tenants/{{ .Values.env }}", helm: {valueFiles: [gone.yaml]}'),
    };
    const certainties = async (more: Files) => {
      const now = (await loaded({ ...files, ...more })).workspace.snapshot();
      const uri = `${root}/apps/templates/web.yaml`;
      const [object] = now.files.get(uri)?.manifest.objects ?? [];
      const scopes = object === undefined ? [] : scopesDefinedBy(now, uri, object);
      const paths = scopes.flatMap((scope) => (object === undefined ? [] : resolvedPaths(now, scope, object)));
      return paths.map((path) => `${path.text} ${path.isCertain}`);
    };
    assert.deepEqual(await certainties({}), ['tenants/dev false', 'gone.yaml false']);
    assert.deepEqual(await certainties({ 'root.yaml': app('root', 'path: apps') }), [
      'tenants/dev true',
      'gone.yaml true',
    ]);
    const pinned = { 'root.yaml': app('root', 'path: apps, targetRevision: v1') };
    assert.deepEqual(await certainties(pinned), ['tenants/dev false', 'gone.yaml false']);
  });

  it('change while their templates and values change', async () => {
    const { write, edit, names } = await loaded({
      ...chart,
      ...tenants,
      'apps/templates/web.yaml': template('web', 'path: "tenants/{{ .Values.env }}"'),
      'root.yaml': app('root', 'path: apps'),
    });
    const objects = () => names().split(' ').length;
    assert.equal(names(), 'web web');
    await write('apps/values.yaml', 'repo: https://example.com/shop.git\nenv: gone\n');
    assert.equal(objects(), 1);
    await write('root.yaml', app('root', 'path: apps, helm: {values: "env: prod"}'));
    assert.equal(objects(), 2);
    edit('apps/templates/web.yaml', template('web', 'path: "tenants/x{{ .Values.env }}"'));
    assert.equal(objects(), 1);
  });
});
