/** Tests what Flux Kustomizations apply: which files, and the changes to their objects. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { relativePath } from '../../server/src/workspace/uri.ts';
import { lines } from '../harness/margin.ts';
import { built, root, service, workspaceOf } from './kustomizations.ts';

/** A Flux Kustomization with further fields of its `spec`, as flow YAML. */
function flux(name: string, spec: string, kind = 'GitRepository'): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 1m, sourceRef: {kind: ${kind}, name: flux-system}, ${spec}}
`;
}

function configMap(name: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
}

const owner = (name: string) =>
  `kustomize.toolkit.fluxcd.io/name=${name}, kustomize.toolkit.fluxcd.io/namespace=flux-system`;

type Files = Readonly<Record<string, string>>;

/** The names of the objects that the only Flux Kustomization of `ks.yaml` builds. */
function names(files: Files): readonly string[] {
  const rendering = workspaceOf(files).rendering(`${root}/ks.yaml`, catalogue);
  return (rendering?.objects ?? []).map(({ object }) => object.name?.text ?? '');
}

/** All scopes, each with its files. */
function scopes(files: Files): string {
  const all = workspaceOf(files).scopes().all();
  return all
    .map((scope) => {
      const members = [...scope.files].map((uri) => relativePath(root, uri)).join(', ');
      const open = scope.closed === true ? '' : ` (${scope.closed.openBecause.join(' ')})`;
      return `${scope.kind} ${relativePath(root, scope.path)}: ${members}${open}`;
    })
    .join('\n');
}

describe('a Flux Kustomization', () => {
  it('builds the manifests of its path, which are in no other scope', () => {
    assert.equal(
      scopes({
        'clusters/prod/apps.yaml': `${flux('shop', 'path: ./apps/shop')}---\n${flux('blog', 'path: apps/blog/')}`,
        'apps/shop/web.yaml': service,
        'apps/shop/deep/map.yaml': configMap('deep'),
        'apps/blog/kustomization.yaml': 'resources: [map.yaml]\n',
        'apps/blog/map.yaml': configMap('blog'),
        'apps/other/map.yaml': configMap('other'),
      }),
      lines(`
        flux-kustomization clusters/prod/apps.yaml#shop: apps/shop/deep/map.yaml, apps/shop/web.yaml
        flux-kustomization clusters/prod/apps.yaml#blog: apps/blog/map.yaml
        folder apps/other: apps/other/map.yaml
        folder clusters/prod: clusters/prod/apps.yaml
      `),
    );
  });

  it('lists YAML files of all levels, hidden ones too, but no JSON (scenario 1)', () => {
    const files = {
      'ks.yaml': flux('app', 'path: app'),
      'app/a.yaml': configMap('a'),
      'app/b.yml': configMap('b'),
      'app/c.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}',
      'app/.hidden/d.yaml': configMap('d'),
      'app/.github/e.yaml': configMap('e'),
      'app/nested/kustomization.yaml': 'resources: [f.yaml]\n',
      'app/nested/f.yaml': configMap('f'),
      'app/nested/deeper/g.yaml': configMap('g'),
    };
    assert.deepEqual(names(files).toSorted(), ['a', 'b', 'd', 'f']);
  });

  it('builds only what the kustomization of its path lists (scenario 2)', () => {
    const files = {
      'ks.yaml': flux('app', 'path: ./app'),
      'app/kustomization.yaml': 'resources: [a.yaml]\n',
      'app/a.yaml': configMap('a'),
      'app/b.yaml': configMap('b'),
    };
    assert.deepEqual(names(files), ['a']);
  });

  it('replaces the namespace and affixes of the kustomization, and adds patches, components and owner labels', () => {
    const files = {
      'ks.yaml': flux(
        'app',
        `path: app, targetNamespace: x, namePrefix: "", nameSuffix: -s, components: [../mon],
  patches: [{patch: "{apiVersion: v1, kind: Service, metadata: {name: web, labels: {patched: 'yes'}}}"}],
  commonMetadata: {labels: {team: a, kustomize.toolkit.fluxcd.io/name: other}}`,
      ),
      'app/kustomization.yaml': 'resources: [web.yaml]\nnamespace: y\nnamePrefix: dev-\n',
      'app/web.yaml': service,
      'mon/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [map.yaml]\n',
      'mon/map.yaml': configMap('map'),
    };
    const labels = owner('other');
    assert.equal(
      built(files, `${root}/ks.yaml`),
      lines(`
        Service/dev-web-s in x
          metadata.labels: patched=yes, ${labels}, team=a
          spec.selector: app=web
        ConfigMap/dev-map-s in x
          metadata.labels: ${labels}, team=a
      `),
    );
  });

  it('builds nothing of a source that is not in the workspace', () => {
    const files = {
      'ks.yaml': `${flux('app', 'path: ./app')}---\n${flux('far', 'path: ./deploy', 'OCIRepository')}`,
      'app/a.yaml': configMap('a'),
    };
    assert.equal(
      scopes(files),
      lines(`
        flux-kustomization ks.yaml#app: app/a.yaml
        flux-kustomization ks.yaml#far:  (ks.yaml builds 'deploy', which is not in the workspace.)
        folder ../work: ks.yaml (ks.yaml contains the kind Kustomization, whose objects are not in any file.)
      `),
    );
  });

  it('leaves out what its source leaves out', () => {
    const source = (spec: string) =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: https://example.com/x, ${spec}}\n`;
    const files = {
      'ks.yaml': flux('app', 'path: app'),
      'app/a.yaml': configMap('a'),
      'app/test/b.yaml': configMap('b'),
      'app/test/c.yaml': configMap('c'),
      'app/.sops.yaml': configMap('d'),
    };
    assert.deepEqual(names(files).toSorted(), ['a', 'b', 'c']);
    assert.deepEqual(names({ ...files, '.sourceignore': 'b.yaml\n' }).toSorted(), ['a', 'c']);
    assert.deepEqual(
      names({ ...files, '.sourceignore': 'app/test/*\n', 'app/test/.sourceignore': '!c.yaml\n' }).toSorted(),
      ['a', 'c'],
    );
    assert.deepEqual(names({ ...files, 'source.yaml': source('ignore: "test/\\n"') }).toSorted(), ['a', 'd']);
    assert.deepEqual(names({ ...files, '.sourceignore': '/*\n!/deploy\n' }), []);
    // Unlike git, Flux includes a part of a folder that an earlier pattern excludes.
    assert.deepEqual(names({ ...files, '.sourceignore': '/*\n!/app/test\n' }), ['b', 'c']);
    assert.deepEqual(names({ ...files, 'source.yaml': source('ignore: "/*\\n!/app/test\\n.*\\n"') }), ['b', 'c']);
    // Two clusters have a source with this name.
    const [east, west] = ['ignore: "/*\\n!/east"', 'ignore: "/*\\n!/app"'].map(source);
    assert.deepEqual(names({ ...files, 'east/source.yaml': `${east}`, 'west/source.yaml': `${west}` }).toSorted(), [
      ...['a', 'b', 'c', 'd'],
    ]);
  });

  it('knows a repository by its URL, whatever object provides it', () => {
    const source = (name: string, url: string) =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}}\nspec: {url: "${url}"}\n`;
    const ks = (name: string) => flux('app', 'path: ./app').replace('name: flux-system}, path', `name: ${name}}, path`);
    const files = (url: string) => ({
      'cluster/flux.yaml': flux('cluster', 'path: ./cluster'),
      'cluster/one.yaml': source('flux-system', 'https://example.com/Shop/deploy'),
      'cluster/two.yaml': source('other', url),
      'cluster/app.yaml': ks('other'),
      'app/a.yaml': configMap('a'),
    });
    const isBuilt = (url: string) => scopes(files(url)).includes('flux-kustomization cluster/app.yaml: app/a.yaml');
    for (const url of [
      'ssh://git@example.com:22/shop/deploy.git',
      'git@example.com:shop/deploy',
      'https://example.com/shop/deploy/',
    ])
      assert.ok(isBuilt(url), url);
    assert.ok(!isBuilt('https://example.com/other/deploy'));
  });

  it('is applied as the Kustomization around it patches it', () => {
    const files = {
      'ks.yaml': flux(
        'cluster',
        'path: ./cluster, patches: [{patch: "[{op: add, path: /spec/targetNamespace, value: made}]", target: {kind: Kustomization}}]',
      ),
      'cluster/app.yaml': flux('app', 'path: ./app'),
      'app/web.yaml': service,
    };
    assert.equal(
      built(files, `${root}/cluster/app.yaml`),
      lines(`
        Service/web in made
          metadata.labels: ${owner('app')}
          spec.selector: app=web
      `),
    );
  });

  it('builds nothing here if the Kustomization around it changes its path', () => {
    const moved = (path: string) => ({
      'ks.yaml': flux(
        'cluster',
        `path: ./cluster, patches: [{patch: "[{op: add, path: /spec/path, value: ${path}}]", target: {kind: Kustomization}}]`,
      ),
      'cluster/app.yaml': flux('app', 'path: ./app'),
      'app/web.yaml': service,
      'other/web.yaml': service,
    });
    const rendering = (path: string) => workspaceOf(moved(path)).rendering(`${root}/cluster/app.yaml`, catalogue);
    assert.equal(rendering('app/')?.objects.length, 1);
    assert.equal(rendering('other')?.objects.length, 0);
    assert.equal(rendering('other')?.isWhole, false);
  });

  it('may build the file that defines it', () => {
    const files = { 'cluster/ks.yaml': flux('cluster', 'path: ./cluster'), 'cluster/a.yaml': configMap('a') };
    const rendering = workspaceOf(files).rendering(`${root}/cluster/ks.yaml`, catalogue);
    assert.deepEqual(
      rendering?.objects.map(({ object }) => object.name?.text),
      ['a', 'cluster'],
    );
    assert.equal(scopes(files), 'flux-kustomization cluster/ks.yaml: cluster/a.yaml, cluster/ks.yaml');
  });

  it('is alternative to another one that builds the same files (scenario 25)', () => {
    const workspace = workspaceOf({
      'ks.yaml': `${flux('a', 'path: app, targetNamespace: x')}---\n${flux('b', 'path: app, targetNamespace: y')}`,
      'app/web.yaml': service,
    });
    const [a, b] = workspace.scopes().all();
    assert.deepEqual([a?.namespace, b?.namespace], ['x', 'y']);
    const of = (path = '') => workspace.rendering(path, catalogue)?.objects.map(({ object }) => object.namespace?.text);
    assert.deepEqual([of(a?.path), of(b?.path)], [['x'], ['y']]);
  });
});

describe('variables of a Flux Kustomization', () => {
  const app = service.replaceAll('web', `\${APP}`);
  const selector = (files: Files) => {
    const [object] =
      workspaceOf({ 'app/web.yaml': app, ...files }).rendering(`${root}/ks.yaml`, catalogue)?.objects ?? [];
    return `${object?.object.name?.text} ${JSON.stringify(object?.object.selectorSites[0]?.entries[0]?.value.value)}`;
  };
  const unknown = `\${APP} {"unknown":"\${APP}","pattern":"*"}`;

  it('are replaced in names, labels and selectors', () => {
    assert.equal(selector({ 'ks.yaml': flux('app', 'path: app, postBuild: {substitute: {APP: web}}') }), 'web "web"');
  });

  it('stay as they are without variables (scenario 7)', () => {
    assert.equal(selector({ 'ks.yaml': flux('app', 'path: app') }), unknown);
    assert.equal(selector({ 'ks.yaml': flux('app', 'path: app, postBuild: {substitute: {}}') }), unknown);
    const files = {
      'app/web.yaml': service.replaceAll('web', `\${X:=d}`),
      'ks.yaml': flux('app', 'path: app, postBuild: {substitute: {}, substituteStrategy: Always}'),
    };
    assert.equal(selector(files), 'd "d"');
  });

  it('come from ConfigMaps, in order, and then from the object itself', () => {
    const from = (more: string) =>
      flux(
        'app',
        `path: app, postBuild: {substituteFrom: [{kind: ConfigMap, name: one}, {kind: ConfigMap, name: two}]${more}}`,
      );
    const maps = {
      'vars/one.yaml': `${configMap('one', 'data: {APP: one}\n')}---\n`,
      'vars/two.yaml': `${configMap('two', 'data: {APP: "tw\\no"}\n')}---\n`,
    };
    assert.equal(selector({ 'ks.yaml': from(''), ...maps }), 'two "two"');
    assert.equal(selector({ 'ks.yaml': from(', substitute: {APP: own}'), ...maps }), 'own "own"');
    assert.equal(selector({ 'ks.yaml': from('') }), unknown);
  });

  it('have unknown values in Secrets, whether they are encrypted or not (scenario 13)', () => {
    const ks = flux('app', 'path: app, postBuild: {substituteFrom: [{kind: Secret, name: s}]}');
    for (const secret of [
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {APP: web}\n',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {APP: "ENC[AES256_GCM,data:x,type:str]"}\nsops: {}\n',
      'apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\nspec: {encryptedData: {APP: AgB}}\n',
    ])
      assert.equal(selector({ 'ks.yaml': ks, 'secret.yaml': secret }), unknown);
  });

  it('are not replaced in an object that disables it (scenario 11)', () => {
    const label = 'metadata: {labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}, ';
    const files = {
      'app/web.yaml': app.replace('metadata: {', label),
      'ks.yaml': flux('app', 'path: app, postBuild: {substitute: {APP: web}}'),
    };
    assert.equal(selector(files), unknown);
  });

  it('come from the Kustomization around it (scenario 14)', () => {
    const patch =
      '{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: x}, spec: {postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}}}';
    const files = {
      'flux.yaml': flux('cluster', `path: ./cluster, patches: [{patch: "${patch}", target: {kind: Kustomization}}]`),
      'cluster/ks.yaml': flux('app', 'path: ./app'),
      'cluster/vars.yaml': configMap('vars', 'data: {APP: web}\n'),
      'app/web.yaml': app,
    };
    const rendering = workspaceOf(files).rendering(`${root}/cluster/ks.yaml`, catalogue);
    assert.equal(rendering?.objects[0]?.object.name?.text, 'web');
  });
});
