/** Tests how the objects of repositories with usual layouts relate to each other. */

import assert from 'node:assert/strict';
import { bench } from '../../harness/bench.ts';
import { deployment, root, service, workspaceOf } from '../kustomizations.ts';
import { builtBy, configMap, type Files, flux } from './flux-files.ts';

/** The relation between the objects of two files. */
function relation(files: Files, from: string, to: string): string {
  return workspaceOf(files).scopes().relation(`${root}/${from}`, `${root}/${to}`);
}

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: podinfo, namespace: podinfo}
spec: {interval: 1m, chartRef: {kind: OCIRepository, name: podinfo}}
`;

describe('a repository with a folder for each cluster', () => {
  const files = {
    'clusters/staging/flux-system/gotk-sync.yaml': flux('flux-system', 'path: ./clusters/staging'),
    'clusters/production/flux-system/gotk-sync.yaml': flux('flux-system', 'path: ./clusters/production'),
    'clusters/staging/apps.yaml': flux('apps', 'path: ./apps/staging'),
    'clusters/production/apps.yaml': flux('apps', 'path: ./apps/production'),
    'apps/base/kustomization.yaml': 'resources: [release.yaml]\n',
    'apps/base/release.yaml': release,
    'apps/staging/kustomization.yaml': 'resources: [../base, map.yaml]\n',
    'apps/staging/map.yaml': configMap('map'),
    'apps/production/kustomization.yaml': 'resources: [../base, map.yaml]\n',
    'apps/production/map.yaml': configMap('map'),
  };

  it('has a root for each cluster, and the apps of each as alternatives', () => {
    const scopes = workspaceOf(files)
      .scopes()
      .all()
      .flatMap(({ kind, path }) => (kind === 'flux-kustomization' ? [path.slice(root.length + 1)] : []));
    assert.deepEqual(scopes.toSorted(), [
      'clusters/production/apps.yaml',
      'clusters/production/flux-system/gotk-sync.yaml',
      'clusters/staging/apps.yaml',
      'clusters/staging/flux-system/gotk-sync.yaml',
    ]);
    assert.equal(relation(files, 'apps/staging/map.yaml', 'apps/production/map.yaml'), 'apart');
  });

  it('has clusters that never meet, even if they share no files', () => {
    const plain = { ...files, 'apps/staging/kustomization.yaml': 'resources: [map.yaml]\n' };
    assert.equal(relation(plain, 'apps/staging/map.yaml', 'apps/production/map.yaml'), 'apart');
    // Both clusters apply this one.
    const shared = {
      ...plain,
      'clusters/staging/shared.yaml': flux('shared', 'path: ./shared'),
      'clusters/production/shared.yaml': flux('shared', 'path: ./shared'),
      'shared/map.yaml': configMap('other'),
    };
    assert.equal(relation(shared, 'apps/staging/map.yaml', 'shared/map.yaml'), 'elsewhere');
  });
});

describe('a definition that several clusters share', () => {
  const cluster = (name: string, substitute: string) => ({
    [`clusters/${name}/ks.yaml`]: flux(name, `path: ./clusters/${name}`),
    [`clusters/${name}/kustomization.yaml`]: `resources: [../../shared/apps.yaml]
patches:
- target: {kind: Kustomization}
  patch: '[{op: add, path: /spec/postBuild, value: {substitute: {NAME: ${substitute}}}}]'
`,
  });
  const nameWith = (staging: string, production: string) => {
    const [object] = builtBy('shared/apps.yaml', {
      ...cluster('staging', staging),
      ...cluster('production', production),
      'shared/apps.yaml': flux('apps', 'path: ./apps'),
      'apps/map.yaml': configMap(`\${NAME}`),
    });
    return object?.object.name?.text;
  };

  it('is what all of them apply, or what is written if they apply different versions', () => {
    assert.equal(nameWith('web', 'web'), 'web');
    assert.equal(nameWith('web', 'api'), `\${NAME}`);
  });

  it('has the variables that are equal in all versions', () => {
    const patch = (name: string, operations: string) => ({
      ...cluster(name, ''),
      [`clusters/${name}/kustomization.yaml`]: `resources: [../../shared/apps.yaml]
patches: [{target: {kind: Kustomization}, patch: '${operations}'}]
`,
    });
    const settings = (name: string, value: string) => configMap(name, `data: {NAME: ${value}}\n`);
    const nameIn = (staging: string, production: string) => {
      const [object] = builtBy('shared/apps.yaml', {
        ...patch('staging', staging),
        ...patch('production', production),
        'shared/apps.yaml': flux('apps', 'path: ./apps, postBuild: {substituteFrom: [{kind: ConfigMap, name: one}]}'),
        'apps/map.yaml': configMap(`\${NAME}`),
        'settings/one.yaml': settings('one', 'web'),
        'settings/two.yaml': settings('two', 'api'),
        'settings/three.yaml': settings('three', 'web'),
      });
      return object?.object.name?.text;
    };
    const from = (name: string) => `[{op: replace, path: /spec/postBuild/substituteFrom/0/name, value: ${name}}]`;
    assert.equal(nameIn(from('two'), from('two')), 'api');
    assert.equal(nameIn(from('one'), from('two')), `\${NAME}`);
    assert.equal(nameIn(from('one'), from('three')), 'web');
    assert.equal(nameIn('[{op: add, path: /spec/interval, value: 5m}]', from('one')), 'web');
    assert.equal(nameIn('[{op: remove, path: /spec/postBuild}]', from('one')), `\${NAME}`);
    const deletion =
      '{$patch: delete, apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: apps}}';
    assert.equal(nameIn(deletion, from('two')), 'api');
  });
});

describe('a repository of a home lab', () => {
  const app = (name: string, namespace: string) =>
    flux(name, `path: ./apps/${namespace}/${name}/app, targetNamespace: ${namespace}`);
  const files = {
    'flux/apps.yaml': flux('apps', 'path: ./apps'),
    'apps/shop/kustomization.yaml': 'namespace: shop\nresources: [web/ks.yaml, api/ks.yaml]\n',
    'apps/shop/web/ks.yaml': app('web', 'shop'),
    'apps/shop/api/ks.yaml': app('api', 'shop'),
    'apps/shop/web/app/web.yaml': service,
    'apps/shop/api/app/api.yaml': deployment,
  };

  it('has a scope for each app, whose objects meet in one cluster', () => {
    assert.equal(relation(files, 'apps/shop/web/app/web.yaml', 'apps/shop/api/app/api.yaml'), 'elsewhere');
    assert.equal(workspaceOf(files).scopes().namespaceOf(`${root}/apps/shop/web/app/web.yaml`), 'shop');
  });

  it('has different namespaces if absent namespaces have different targets', () => {
    const other = {
      ...files,
      'apps/shop/api/ks.yaml': flux('api', 'path: ./apps/shop/api/app, targetNamespace: other'),
    };
    const scopes = workspaceOf(other).scopes();
    assert.equal(scopes.namespaceOf(`${root}/apps/shop/web/app/web.yaml`), 'shop');
    assert.equal(scopes.namespaceOf(`${root}/apps/shop/api/app/api.yaml`), 'other');
  });
});

describe('equal variables with unknown values', () => {
  it('are equal in one scope', async () => {
    const b = await bench(`
      ==> flux/app.yaml <==
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: app, namespace: flux-system}
      spec: {path: ./app, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substituteFrom: [{kind: Secret, name: s}]}}
      ==> app/web.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector:
          app: web-\${NAME}
          #      ^ selector
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: "web-\${NAME}"}}
    `);
    assert.match(b.hover('selector'), /Pod\/web/);
  });
});

describe('several GitOps objects in a file', () => {
  it('have paths with their names, and with their kinds or namespaces if these differ', () => {
    const text = [
      flux('podinfo', 'path: ./a'),
      release,
      release.replace('namespace: podinfo', 'namespace: other'),
      flux('podinfo', 'path: ./a'),
    ].join('---\n');
    const scopes = workspaceOf({ 'apps.yaml': text, 'a/map.yaml': configMap('map') })
      .scopes()
      .all();
    assert.deepEqual(
      scopes.flatMap(({ gitops, path }) =>
        gitops === undefined ? [] : [decodeURIComponent(path.slice(root.length + 1))],
      ),
      [
        'apps.yaml#podinfo',
        'apps.yaml#HelmRelease/podinfo',
        'apps.yaml#HelmRelease/other/podinfo',
        'apps.yaml#podinfo~2',
      ],
    );
  });
});
