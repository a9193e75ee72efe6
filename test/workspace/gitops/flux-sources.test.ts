/** Tests which files the sources of Flux provide: their roots, artifacts of other sources, and what a FluxInstance creates. */

import assert from 'node:assert/strict';
import { relativePath } from '../../../server/src/workspace/uri.ts';
import { lines } from '../../harness/margin.ts';
import { built, root, service, workspaceOf } from '../kustomizations.ts';
import { configMap, type Files, flux, namesBuiltBy } from './flux-files.ts';

/** The scopes of GitOps objects, each with its files. */
function scopes(files: Files): string {
  return workspaceOf(files)
    .scopes()
    .all()
    .filter(({ gitops }) => gitops !== undefined)
    .map((scope) => {
      const members = [...scope.files].map((uri) => relativePath(root, uri)).join(', ');
      const open = scope.closed === true ? '' : ` (${scope.closed.openBecause.join(' ')})`;
      return `${relativePath(root, scope.path)}: ${members}${open}`;
    })
    .join('\n');
}

/** An object with a `spec`, as flow YAML. */
function object(apiVersion: string, kind: string, name: string, spec: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {${spec}}\n---\n`;
}

describe('the path of a Flux Kustomization', () => {
  const app = { 'app/a.yaml': configMap('a'), 'b.yaml': configMap('b') };

  it('is the root of the repository if it is absent, and cannot leave the repository', () => {
    const files = { ...app, 'other.yaml': flux('other', 'path: app') };
    const at = (path: string) => namesBuiltBy('ks.yaml', { ...files, 'ks.yaml': flux('app', path) });
    assert.deepEqual(at('path: ../../app'), ['a']);
    assert.deepEqual(at('path: ./app/'), ['a']);
    assert.deepEqual(at('path: app/../app'), ['a']);
    assert.deepEqual(at('path: missing'), []);
    assert.deepEqual(at('suspend: true').toSorted(), ['a', 'app', 'b', 'other']);
  });

  it('may be relative to a folder of the repository that is packed', () => {
    const files = {
      'kubernetes/flux/ks.yaml': flux('app', 'path: ./apps', 'kind: OCIRepository, name: packed'),
      'kubernetes/apps/a.yaml': configMap('a'),
    };
    assert.equal(scopes(files), 'kubernetes/flux/ks.yaml: kubernetes/apps/a.yaml');
  });

  it('may be in an artifact that a command publishes', () => {
    const source = object('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'fleet', 'url: oci://ghcr.io/acme/manifests');
    const files = {
      'clusters/prod.yaml': source + flux('app', 'path: ./web', 'kind: OCIRepository, name: fleet'),
      'deploy/web/a.yaml': configMap('a'),
      'web/b.yaml': configMap('b'),
    };
    const by = (command: string, more = '') =>
      scopes({ ...files, '.github/workflows/push.yaml': `${more}run: ${command}` });
    const push = 'flux push artifact oci://ghcr.io/acme/manifests:$(git rev-parse HEAD) --path=./deploy --source=x';
    const isPacked = 'clusters/prod.yaml: deploy/web/a.yaml';
    assert.equal(by(push), isPacked);
    const lines = 'flux push artifact \\\n  $URL:main \\\n  --path "deploy"';
    assert.equal(by(lines, 'env:\n  URL: "oci://ghcr.io/acme/manifests"\n'), isPacked);
    // The folders of another source are assumed in any case.
    const bucket = flux('other', 'path: ./deploy', 'kind: Bucket, name: other');
    const both = {
      ...files,
      'clusters/prod.yaml': `${files['clusters/prod.yaml']}${bucket}`,
      'push.yaml': `run: ${push}`,
    };
    assert.deepEqual(
      [namesBuiltBy('clusters/prod.yaml#app', both), namesBuiltBy('clusters/prod.yaml#other', both)],
      [['a'], ['a']],
    );
    // Another URL, an unknown one, and two folders with one URL.
    for (const other of [
      push.replace('acme', 'others'),
      push.replace('acme', '$OWNER'),
      `${push}\nrun: ${push.replace('./deploy', './web')}`,
    ])
      assert.equal(by(other), 'clusters/prod.yaml: web/b.yaml', other);
  });

  it('may be in an artifact that oras packs, whose paths begin in the root of the repository', () => {
    const source =
      object('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'fleet', 'url: oci://ghcr.io/acme/manifests') +
      object('source.toolkit.fluxcd.io/v1', 'GitRepository', 'other', 'url: https://git.example.com/acme/other');
    const apps =
      flux('app', 'path: ./web', 'kind: OCIRepository, name: fleet') +
      ['web', 'api'].map((path) => flux(path, `path: ./${path}`, 'kind: GitRepository, name: other')).join('');
    const files = {
      'clusters/prod.yaml': source + apps,
      'web/a.yaml': configMap('a'),
      'api/b.yaml': configMap('b'),
    };
    const by = (command: string, more = '') =>
      namesBuiltBy('clusters/prod.yaml#app', { ...files, '.github/workflows/push.yaml': `${more}run: ${command}` });
    const push = 'oras push ghcr.io/acme/manifests:$(git rev-parse --short HEAD) ./web';
    assert.deepEqual(by(push), ['a']);
    assert.deepEqual(
      by('oras push -u me --plain-http \\\n  "ghcr.io/acme/manifests:1.0" \\\n  web/:application/x-tar'),
      ['a'],
    );
    assert.deepEqual(by('oras push --annotation a=b $URL:main web', 'env:\n  URL: oci://ghcr.io/acme/manifests\n'), [
      'a',
    ]);
    // Another URL, an unknown one, two folders, a file, and nothing.
    for (const other of [
      push.replace('acme', 'others'),
      push.replace('acme', '$OWNER'),
      `${push} api`,
      push.replace('./web', 'web.tar.gz'),
      push.replace(' ./web', ''),
    ])
      assert.deepEqual(by(other), [], other);
  });

  it('may be in an artifact or a bucket that the configuration names', () => {
    const source =
      object('source.toolkit.fluxcd.io/v1', 'OCIRepository', 'fleet', 'url: oci://ghcr.io/acme/manifests') +
      object('source.toolkit.fluxcd.io/v1', 'Bucket', 'store', 'endpoint: minio.example.com, bucketName: fleet');
    const at = (kind: string, name: string, published: string) =>
      scopes({
        'clusters/prod.yaml': source + flux('app', 'path: ./web', `kind: ${kind}, name: ${name}`),
        'deploy/web/a.yaml': configMap('a'),
        'web/b.yaml': configMap('b'),
        '.selector-lens.yaml': `published: [${published}]\n`,
      });
    const url = 'oci://ghcr.io/acme/manifests';
    assert.equal(
      at('OCIRepository', 'fleet', `{source: "${url}", path: deploy}`),
      'clusters/prod.yaml: deploy/web/a.yaml',
    );
    assert.equal(
      at('Bucket', 'store', '{source: Bucket/store, path: ./deploy/}'),
      'clusters/prod.yaml: deploy/web/a.yaml',
    );
    assert.equal(at('Bucket', 'store', `{source: "${url}", path: deploy}`), 'clusters/prod.yaml: web/b.yaml');
  });

  it('may be the root of another repository', () => {
    const other = object(
      'source.toolkit.fluxcd.io/v1',
      'GitRepository',
      'other',
      'url: "https://github.com/other/charts", ref: {tag: v1}',
    );
    const found = scopes({ 'ks.yaml': other + flux('crds', 'prune: true', 'kind: GitRepository, name: other') });
    assert.equal(found, 'ks.yaml:  (ks.yaml builds the root of a repository that is not in the workspace.)');
  });

  it('may be in an artifact that is composed of folders of other sources', () => {
    const generator = (copy: string) =>
      object(
        'source.extensions.fluxcd.io/v1beta1',
        'ArtifactGenerator',
        'fleet',
        `sources: [{alias: repo, kind: GitRepository, name: flux-system}], artifacts: [{name: apps, copy: [${copy}]}]`,
      );
    const at = (path: string, copy: string) =>
      scopes({
        'cluster/flux.yaml': flux('cluster', 'path: ./cluster'),
        'cluster/artifacts.yaml': generator(copy),
        'cluster/apps.yaml': flux('apps', `path: ${path}`, 'kind: ExternalArtifact, name: apps'),
        'apps/production/a.yaml': configMap('a'),
        'production/b.yaml': configMap('b'),
      })
        .split('\n')
        .find((line) => line.startsWith('cluster/apps.yaml'));
    assert.equal(
      at('./production', '{from: "@repo/apps/**", to: "@artifact/"}'),
      'cluster/apps.yaml: apps/production/a.yaml',
    );
    assert.equal(
      at('./x/production', '{from: "@repo/apps/**", to: "@artifact/x/"}'),
      'cluster/apps.yaml: apps/production/a.yaml',
    );
    const unevaluated = 'builds a folder of ExternalArtifact/apps, whose content is not evaluated';
    const unknown = `cluster/apps.yaml:  (apps.yaml ${unevaluated}.)`;
    // Two clusters with artifacts of one name: the nearest is meant.
    const conflict = (kustomization: string) =>
      scopes({
        'a/flux.yaml': flux('a', 'path: ./a'),
        'a/artifacts.yaml': generator('{from: "@repo/apps/**", to: "@artifact/"}'),
        'b/artifacts.yaml': generator('{from: "@repo/other/**", to: "@artifact/"}'),
        [kustomization]: flux('apps', 'path: ./production', 'kind: ExternalArtifact, name: apps'),
        'apps/production/a.yaml': configMap('a'),
        'other/production/a.yaml': configMap('a'),
      })
        .split('\n')
        .find((line) => line.startsWith(kustomization));
    assert.equal(conflict('b/ks.yaml'), 'b/ks.yaml: other/production/a.yaml');
    assert.equal(conflict('c/ks.yaml'), `c/ks.yaml:  (ks.yaml ${unevaluated}.)`);
    // Some files only, folders of two sources, or another artifact.
    assert.equal(at('./production', '{from: "@repo/apps/**/*.yaml", to: "@artifact/"}'), unknown);
    assert.equal(at('./production', '{from: "@repo/apps/**", to: "@artifact/", exclude: ["*.md"]}'), unknown);
    const two = '{from: "@repo/apps/**", to: "@artifact/"}, {from: "@repo/more/**", to: "@artifact/production/"}';
    assert.equal(at('./production', two), unknown);
    assert.equal(at('./production', '{from: "@repo/apps/**", to: "@artifact/other/"}'), unknown);
  });
});

describe('a FluxInstance', () => {
  const instance = (sync: string) =>
    object(
      'fluxcd.controlplane.io/v1',
      'FluxInstance',
      'flux',
      `distribution: {version: 2.x, registry: ghcr.io/fluxcd}, sync: {${sync}}`,
    );
  const sync = 'kind: GitRepository, url: "https://example.com/x.git", ref: refs/heads/main, path: cluster';

  it('creates a source and a Kustomization with the name of its namespace', () => {
    const files = {
      'bootstrap/flux.yaml': instance(sync),
      'cluster/app.yaml': flux('app', 'path: ./app'),
      'app/web.yaml': service,
    };
    assert.equal(
      scopes(files),
      lines(`
        bootstrap/flux.yaml: cluster/app.yaml
        cluster/app.yaml: app/web.yaml
      `),
    );
    assert.match(
      built(files, `${root}/bootstrap/flux.yaml`),
      /^Kustomization\/app in flux-system\n {2}metadata.labels: kustomize.toolkit.fluxcd.io\/name=flux-system, kustomize.toolkit.fluxcd.io\/namespace=flux-system/,
    );
    const named = built(
      { ...files, 'bootstrap/flux.yaml': instance(`${sync}, name: home`) },
      `${root}/bootstrap/flux.yaml`,
    );
    assert.match(named, /toolkit.fluxcd.io\/name=home,/);
  });

  it('opens the scope around it, since it installs Flux', () => {
    const files = { 'bootstrap/flux.yaml': instance(sync), 'cluster/a.yaml': configMap('a') };
    const folder = workspaceOf(files)
      .scopes()
      .all()
      .find(({ kind }) => kind === 'folder');
    assert.notEqual(folder?.closed, true);
  });
});

describe('a ResourceSet', () => {
  it('opens the scope around it, since its objects are templates', () => {
    const set = object('fluxcd.controlplane.io/v1', 'ResourceSet', 'apps', 'inputs: [{tenant: a}], resources: []');
    const [folder] = workspaceOf({ 'set.yaml': set, 'a.yaml': configMap('a') })
      .scopes()
      .all();
    assert.notEqual(folder?.closed, true);
  });
});
