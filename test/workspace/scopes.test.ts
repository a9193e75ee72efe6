/** Tests which objects are applied together, and the relation of two positions. */

import assert from 'node:assert/strict';
import type { Scope } from '../../server/src/workspace/scopes/model.ts';
import { lines } from '../harness/margin.ts';
import { app, deployment, files, relationsOf, scopesOf, scopesOfObject, service, story } from './stories/story.ts';

const kustomization = (...resources: readonly string[]) => `resources: [${resources.join(', ')}]\n`;

describe('scopes', () => {
  it('are the topmost folders of unbroken chains of plain manifests', () => {
    const workspace = story(
      files({
        'apps/shop/web/web.yaml': app('web'),
        'apps/shop/web/deep/cache.yaml': app('cache'),
        'apps/shop/shop.yaml': app('shop'),
        'apps/blog/blog.yaml': app('blog'),
        'apps/blog/values.yaml': 'replicas: 1\n',
        'apps/blog/a/b/far.yaml': app('far'),
        'docker-compose.yaml': 'services: {}\n',
        'apps/kind.yaml': 'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n',
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        folder apps/blog
          apps/blog/blog.yaml
        folder apps/blog/a/b
          apps/blog/a/b/far.yaml
        folder apps/shop
          apps/shop/shop.yaml
          apps/shop/web/deep/cache.yaml
          apps/shop/web/web.yaml
      `),
    );
    assert.equal(
      relationsOf(workspace, 'apps/shop/shop.yaml', 'apps/shop/web/deep/cache.yaml', 'apps/blog/blog.yaml'),
      lines(`
        apps/shop/shop.yaml: apps/shop/web/deep/cache.yaml here, apps/blog/blog.yaml elsewhere
        apps/shop/web/deep/cache.yaml: apps/shop/shop.yaml here, apps/blog/blog.yaml elsewhere
        apps/blog/blog.yaml: apps/shop/shop.yaml elsewhere, apps/shop/web/deep/cache.yaml elsewhere
      `),
    );
  });

  it('leave out inputs of tests, unless they are applied as well', () => {
    const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: web}}\n`;
    const workspace = story(
      files({
        'policy/web.yaml': app('web'),
        'policy/.kyverno-test/kyverno-test.yaml':
          'apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [../policy.yaml]\nresources: [good.yaml, ./bad.yaml, gone.yaml, https://example.com/x.yaml]\nresults:\n- {policy: p, rule: r, patchedResource: patched.yaml}\n',
        'policy/.kyverno-test/good.yaml': pod('good'),
        'policy/.kyverno-test/bad.yaml': pod('bad'),
        'policy/.kyverno-test/patched.yaml': pod('patched'),
        'policy/.kyverno-test/unnamed.yaml': pod('unnamed'),
        'policy/.chainsaw-test/chainsaw-test.yaml':
          'apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec:\n  steps:\n  - try:\n    - apply: {file: made.yaml}\n    - script: {content: ls}\n    catch:\n    - delete: {file: ../taken.yaml}\n',
        'policy/.chainsaw-test/made.yaml': pod('made'),
        'policy/kustomization.yaml': kustomization('web.yaml', 'taken.yaml'),
        'policy/taken.yaml': pod('taken'),
        'gator/suite.yaml':
          'apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n- template: template.yaml\n  cases:\n  - {object: samples/one.yaml, inventory: [samples/two.yaml]}\n',
        'gator/samples/one.yaml': pod('one'),
        'gator/samples/two.yaml': pod('two'),
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        folder policy/.kyverno-test
          policy/.kyverno-test/unnamed.yaml
        kustomization policy
          policy/taken.yaml
          policy/web.yaml
      `),
    );
  });

  it('end at their workspace folder, unless a kustomization leads outside', () => {
    const workspace = story(
      files({
        'one/a.yaml': app('a'),
        'one/two/b.yaml': app('b'),
        'three/kustomization.yaml': kustomization('../one/two/b.yaml'),
      }),
      ['one', 'one/two', 'three'],
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        folder one
          one/a.yaml
        kustomization three
          one/two/b.yaml
      `),
    );
  });

  it('are what a root kustomization builds, without reached kustomizations', () => {
    const workspace = story(
      files({
        'base/kustomization.yaml': kustomization('web.yaml', 'cache.yaml'),
        'base/web.yaml': app('web'),
        'base/cache.yaml': app('cache'),
        'overlays/prod/kustomization.yaml':
          'resources: [../../base, limits.yaml]\npatches: [{ path: more.yaml }]\ncomponents: [../../components/tls]\n',
        'overlays/prod/limits.yaml': app('limits'),
        'overlays/prod/more.yaml': deployment('web'),
        'overlays/test/kustomization.yaml': kustomization('../../base', 'probe.yaml'),
        'overlays/test/probe.yaml': app('probe'),
        'components/tls/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [issuer.yaml]\n',
        'components/tls/issuer.yaml': service('issuer'),
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        kustomization overlays/prod
          base/cache.yaml
          base/web.yaml
          components/tls/issuer.yaml
          overlays/prod/limits.yaml
        kustomization overlays/test
          base/cache.yaml
          base/web.yaml
          overlays/test/probe.yaml
      `),
    );
    assert.equal(
      relationsOf(workspace, 'base/web.yaml', 'overlays/prod/limits.yaml', 'overlays/test/probe.yaml'),
      lines(`
        base/web.yaml: overlays/prod/limits.yaml here, overlays/test/probe.yaml here
        overlays/prod/limits.yaml: base/web.yaml here, overlays/test/probe.yaml apart
        overlays/test/probe.yaml: base/web.yaml here, overlays/prod/limits.yaml apart
      `),
    );
  });

  it('may share a component without being alternatives', () => {
    const workspace = story(
      files({
        'tls/kustomization.yaml': 'kind: Component\nresources: [issuer.yaml]\n',
        'tls/issuer.yaml': service('issuer'),
        'shop/kustomization.yaml': 'resources: [shop.yaml]\ncomponents: [../tls]\n',
        'shop/shop.yaml': app('shop'),
        'blog/kustomization.yaml': 'resources: [blog.yaml]\ncomponents: [../tls]\n',
        'blog/blog.yaml': app('blog'),
      }),
    );
    assert.equal(
      relationsOf(workspace, 'shop/shop.yaml', 'blog/blog.yaml'),
      'shop/shop.yaml: blog/blog.yaml elsewhere\nblog/blog.yaml: shop/shop.yaml elsewhere',
    );
  });

  it('exist for kustomizations that reach each other', () => {
    const workspace = story(
      files({
        'a/kustomization.yaml': kustomization('../b', 'a.yaml'),
        'a/a.yaml': app('a'),
        'b/kustomization.yaml': kustomization('../a', 'b.yaml'),
        'b/b.yaml': app('b'),
      }),
    );
    assert.equal(scopesOf(workspace), 'kustomization a\n  a/a.yaml\n  b/b.yaml');
  });

  it('are a chart with its subcharts, without files next to its templates, and a chart elsewhere on which it depends', () => {
    const workspace = story(
      files({
        'shop/Chart.yaml':
          'name: shop\ndependencies:\n- { name: cache }\n- { name: common, repository: "file://../common" }\n- { name: library, repository: "file://../library" }\n',
        'shop/templates/web.yaml': app('web'),
        'shop/crds/widget.yaml': service('widget'),
        'shop/docs/example.yaml': app('example'),
        'shop/charts/cache/Chart.yaml': 'name: cache\n',
        'shop/charts/cache/templates/cache.yaml': app('cache'),
        'common/Chart.yaml': 'name: common\n',
        'common/templates/all.yaml': service('all'),
        'library/Chart.yaml': 'name: library\ntype: library\n',
        'library/templates/_helpers.tpl': '',
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        chart common
          common/templates/all.yaml
        chart shop
          common/templates/all.yaml
          library/templates/_helpers.tpl
          shop/charts/cache/templates/cache.yaml
          shop/crds/widget.yaml
          shop/templates/web.yaml
        folder shop/docs
          shop/docs/example.yaml
      `),
    );
  });

  it('are each OpenShift Template, of which a file may contain several', () => {
    const template = (name: string) =>
      `apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: { name: ${name} }\nobjects:\n${[
        `- { apiVersion: v1, kind: Service, metadata: { name: ${name}-web }, spec: { selector: { app: web } } }`,
        `- { apiVersion: v1, kind: Pod, metadata: { name: ${name}-pod, labels: { app: web } } }`,
      ].join('\n')}\n`;
    const workspace = story(
      files({ 'a/all.yaml': `${template('one')}---\n${template('two')}---\n${app('plain')}`, 'a/b.yaml': app('b') }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        folder a
          a/all.yaml
          a/b.yaml
        template a/all.yaml 'one'
          a/all.yaml
        template a/all.yaml 'two'
          a/all.yaml
      `),
    );
    assert.equal(scopesOfObject(workspace, 'Service/two-web'), "template a/all.yaml 'two'");
    assert.equal(scopesOfObject(workspace, 'Template/two'), "template a/all.yaml 'two'");
    assert.equal(scopesOfObject(workspace, 'Service/plain'), 'folder a');
  });

  it('are a single file if it is in no folder', () => {
    const workspace = story(files({ 'a.yaml': app('a') }));
    const scopes = workspace.scopes().of('untitled:Untitled-1');
    assert.deepEqual(
      scopes.map(({ kind, path, closed }) => [kind, path, closed]),
      [['file', 'untitled:Untitled-1', true]],
    );
    assert.equal(workspace.scopes().relation('untitled:Untitled-1', 'file:///work/a.yaml'), 'elsewhere');
  });

  it('state why they are open', () => {
    const workspace = story(
      files({
        'far/kustomization.yaml': lines(`
          resources: ['github.com/acme/base?ref=v1', https://example.com/all.yaml, ../gone, ../../x, web.yaml]
          generators: [./plugin.yaml]
          transformers: [./labels.yaml]
          helmCharts: [{ name: redis }]
        `).concat('\n'),
        'far/web.yaml': app('web'),
        'far/plugin.yaml': 'apiVersion: example.com/v1\nkind: Maker\nmetadata: { name: x }\n',
        'far/labels.yaml': 'apiVersion: builtin\nkind: LabelTransformer\nmetadata: { name: x }\n',
        'chart/Chart.yaml': 'name: chart\ndependencies: [{ name: redis, repository: "https://example.com" }]\n',
        'chart/templates/web.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  {{- include "x" . | nindent 2 }}\n',
        'old/Chart.yaml': 'name: old\n',
        'old/requirements.yaml': 'dependencies: [{ name: redis, repository: "https://example.com" }, { name: own }]\n',
        'old/charts/own/Chart.yaml': 'name: own\n',
        'old/charts/own/templates/web.yaml': app('web'),
        'role/requirements.yaml': 'dependencies: [{ name: redis }]\n',
        'role/templates/web.yaml': app('web'),
        'plain/web.yaml': app('web'),
        'plain/widget.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: x }\n',
        'plain/broken.yaml': 'apiVersion: v1\nkind: Pod\n  metadata: {}\n',
        'plain/release.yaml': 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: x }\n',
        'sound/web.yaml': app('web'),
        'sound/tag.yaml': 'apiVersion: builtin\nkind: ImageTagTransformer\nmetadata: { name: x }\n',
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        chart chart
          chart/templates/web.yaml
          open: Chart.yaml needs the chart 'redis', which is not in the workspace.
          open: templates/web.yaml is a template whose output is not known.
        chart old
          old/charts/own/templates/web.yaml
          open: requirements.yaml needs the chart 'redis', which is not in the workspace.
        folder plain
          plain/release.yaml
          plain/web.yaml
          plain/widget.yaml
          open: broken.yaml has syntax errors.
          open: release.yaml contains the kind HelmRelease, whose objects are not in any file.
          open: widget.yaml contains the kind Widget, which may create objects.
        folder role/templates
          role/templates/web.yaml
        folder sound
          sound/web.yaml
        kustomization far
          far/web.yaml
          open: kustomization.yaml includes 'github.com/acme/base?ref=v1', which is not in the workspace.
          open: kustomization.yaml includes 'https://example.com/all.yaml', which is not in the workspace.
          open: kustomization.yaml names '../../x', which is outside the workspace folders.
          open: kustomization.yaml names '../gone', which does not exist.
          open: kustomization.yaml renders the chart 'redis'.
          open: kustomization.yaml uses the plugin './plugin.yaml'.
      `),
    );
  });

  it('are open if a chart contains a packaged chart, at any depth', () => {
    const workspace = story(
      files({
        'shop/Chart.yaml': 'name: shop\n',
        'shop/charts/redis-1.0.0.tgz': '',
        'shop/charts/own/Chart.yaml': 'name: own\n',
        'shop/charts/own/charts/deep-1.0.0.tgz': '',
        'shop/templates/web.yaml': app('web'),
        'shop/files/charts/data.tgz': '',
      }),
    );
    assert.equal(
      scopesOf(workspace),
      lines(`
        chart shop
          shop/templates/web.yaml
          open: charts/own/charts/deep-1.0.0.tgz is a packed chart.
          open: charts/redis-1.0.0.tgz is a packed chart.
      `),
    );
  });

  it('are open if a kustomization contains a program', () => {
    const program = (name: string, apiVersion: string, kind: string) =>
      `${name}:\n  - |-\n    apiVersion: ${apiVersion}\n    kind: ${kind}\n    metadata: { name: x }\n`;
    const workspace = story(
      files({
        'kustomization.yaml':
          'resources: [web.yaml]\n' +
          program('generators', 'example.com/v1', 'SecretMaker') +
          program('transformers', 'builtin', 'LabelTransformer'),
        'web.yaml': app('web'),
      }),
    );
    const [scope] = workspace.scopes().of('file:///work/web.yaml');
    assert.deepEqual(scope?.closed, { openBecause: ["kustomization.yaml runs the program 'SecretMaker'."] });
  });

  it('of kustomizations state whether objects are changed', () => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n';
    const workspace = story(
      files({
        'adds/kustomization.yaml': `${kustomization('web.yaml')}commonLabels: { team: blue }\n`,
        'adds/web.yaml': app('web'),
        'scales/kustomization.yaml': `${kustomization('web.yaml')}patches: [{ path: patch.yaml }]\n`,
        'scales/web.yaml': app('web'),
        'scales/patch.yaml': `${patch}spec: { replicas: 3 }\n`,
        'patches/kustomization.yaml': kustomization('base'),
        'patches/base/kustomization.yaml': `${kustomization('web.yaml')}patches: [{ path: patch.yaml }]\n`,
        'patches/base/web.yaml': app('web'),
        'patches/base/patch.yaml': `${patch}spec: { selector: { matchLabels: { team: blue } } }\n`,
        'inline/kustomization.yaml': `${kustomization('web.yaml')}patches: [{ patch: "[{op: add, path: /metadata/labels/a, value: b}]" }]\n`,
        'inline/web.yaml': app('web'),
        'list/kustomization.yaml': `${kustomization('web.yaml')}patches: [{ path: list.yaml }]\n`,
        'list/web.yaml': app('web'),
        'list/list.yaml': '- { op: add, path: /spec/replicas, value: 3 }\n',
      }),
    );
    const named = (is: (scope: Scope) => boolean | undefined) =>
      workspace
        .scopes()
        .all()
        .filter(is)
        .map((scope) => scope.path.replace(/.*\//, ''))
        .toSorted();
    assert.deepEqual(
      named((scope) => scope.edited),
      ['adds', 'inline', 'list', 'patches', 'scales'],
    );
  });
});
