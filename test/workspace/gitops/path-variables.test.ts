/** Tests Flux Kustomizations whose path contains variables, which the Kustomizations of several clusters set. */

import assert from 'node:assert/strict';
import { bench } from '../../harness/bench.ts';
import { deployment, root, service, workspaceOf } from '../kustomizations.ts';
import { configMap, type Files, flux, namesBuiltBy } from './flux-files.ts';

const apps = `path: "./apps/\${ENVIRONMENT}/\${CLUSTER}"`;

const variables = (environment: string, cluster: string) =>
  `postBuild: {substitute: {ENVIRONMENT: ${environment}, CLUSTER: ${cluster}}}`;

const files: Files = {
  'clusters/staging/sync.yaml': flux('flux-system', 'path: ./clusters/staging'),
  'clusters/staging/base.yaml': flux('base', `path: ./base, ${variables('staging', 's1')}`),
  'clusters/production/sync.yaml': flux('flux-system', 'path: ./clusters/production'),
  'clusters/production/base.yaml': flux('base', `path: ./base, ${variables('production', 'p1')}`),
  'base/apps.yaml': flux('apps', apps),
  'apps/staging/s1/map.yaml': configMap('staging'),
  'apps/production/p1/map.yaml': configMap('production'),
};

const staging = 'base/apps.yaml#apps~apps%2Fstaging%2Fs1';
const production = 'base/apps.yaml#apps~apps%2Fproduction%2Fp1';

/** The scopes of Kustomizations in the folder `base`, and those that are no Kustomizations. */
function scopesIn(all: Files): readonly string[] {
  const scopes = workspaceOf(all).scopes().all();
  const found = scopes.filter(({ kind, path }) => kind !== 'flux-kustomization' || path.includes('/base/'));
  return found.map(({ path }) => path.slice(root.length + 1)).toSorted();
}

/** The messages of a rule about some files, in the named file. */
async function findings(all: Files, rule: string): Promise<readonly string[]> {
  const b = await bench(
    Object.entries(all)
      .map(([path, text]) => `\n==> ${path} <==\n${text}`)
      .join(''),
  );
  const found = Object.keys(all).flatMap((path) => b.findings(path));
  return found.filter((each) => each.rule === rule).map(({ message }) => message);
}

describe('a path with variables', () => {
  it('has a scope for each cluster', () => {
    assert.deepEqual(scopesIn(files), [production, staging].toSorted());
    assert.deepEqual(namesBuiltBy(staging, files), ['staging']);
    assert.deepEqual(namesBuiltBy(production, files), ['production']);
    const scopes = workspaceOf(files).scopes();
    assert.ok(scopes.all().every(({ closed }) => closed === true));
    assert.equal(scopes.relation(`${root}/apps/staging/s1/map.yaml`, `${root}/apps/production/p1/map.yaml`), 'apart');
  });

  it('is resolved with the ConfigMap of each cluster', () => {
    const settings = (environment: string, cluster: string) =>
      configMap('settings', `data: {ENVIRONMENT: ${environment}, CLUSTER: ${cluster}}\n`).replace(
        'name: settings',
        'name: settings, namespace: flux-system',
      );
    const base = flux('base', 'path: ./base, postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}');
    const all = {
      ...files,
      'clusters/staging/base.yaml': base,
      'clusters/staging/settings.yaml': settings('staging', 's1'),
      'clusters/production/base.yaml': base,
      'clusters/production/settings.yaml': settings('production', 'p1'),
    };
    assert.deepEqual(scopesIn(all), [production, staging].toSorted());
    assert.deepEqual(namesBuiltBy(staging, all), ['staging']);
    // The version in each cluster has the variables of the cluster.
    const substituted = {
      ...all,
      'base/apps.yaml': flux('apps', `${apps}, postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}`),
      'apps/staging/s1/map.yaml': configMap(`web-\${CLUSTER}`),
      'apps/production/p1/map.yaml': configMap(`web-\${CLUSTER}`),
    };
    assert.deepEqual(namesBuiltBy(staging, { ...substituted }), ['web-s1']);
  });

  it('is resolved in a file that the folder of each cluster includes', () => {
    const cluster = (environment: string, name: string): Files => ({
      [`clusters/${environment}/base.yaml`]: '',
      [`clusters/${environment}/sync.yaml`]: flux(
        'flux-system',
        `path: ./clusters/${environment}, ${variables(environment, name)}`,
      ),
      [`clusters/${environment}/kustomization.yaml`]: 'resources: [sync.yaml, ../../base/apps.yaml]\n',
    });
    const all = { ...files, ...cluster('staging', 's1'), ...cluster('production', 'p1') };
    assert.deepEqual(scopesIn(all), [production, staging].toSorted());
    assert.deepEqual(namesBuiltBy(staging, all), ['staging']);
    assert.deepEqual(namesBuiltBy(production, all), ['production']);
  });

  it('has as many versions as can be compared', () => {
    const many = Array.from({ length: 501 }, (_, index) => {
      return [`clusters/c${index}/base.yaml`, flux('base', `path: ./base, ${variables('staging', 's1')}`)] as const;
    });
    const count = (clusters: number) =>
      workspaceOf({ ...Object.fromEntries(many.slice(0, clusters)), 'base/apps.yaml': flux('apps', apps) })
        .scopes()
        .all()
        .filter(({ gitops }) => gitops?.facts.name === 'apps').length;
    assert.equal(count(500), 500);
    assert.equal(count(501), 1);
  });

  it('is open with an unknown variable', () => {
    const all = {
      ...files,
      'clusters/staging/base.yaml': flux('base', `path: ./base, ${variables('staging', `"\${OTHER}"`)}`),
      'clusters/production/base.yaml': flux(
        'base',
        'path: ./base, postBuild: {substitute: {ENVIRONMENT: production}, substituteFrom: [{kind: Secret, name: s}]}',
      ),
    };
    assert.deepEqual(scopesIn(all), ['apps/production/p1', 'apps/staging/s1', 'base/apps.yaml']);
    const one = { ...all, 'clusters/staging/base.yaml': files['clusters/staging/base.yaml'] ?? '' };
    assert.deepEqual(namesBuiltBy(staging, one), ['staging']);
    const open = workspaceOf(one)
      .scopes()
      .all()
      .filter(({ closed, gitops }) => closed !== true && gitops?.facts.name === 'apps');
    assert.equal(open.length, 1);
  });

  it('is unknown if a patch of a cluster changes it', () => {
    const patch = `patches: [{target: {kind: Kustomization}, patch: '[{op: replace, path: /spec/path, value: ./other}]'}]`;
    const all = {
      ...files,
      'clusters/staging/base.yaml': flux('base', `path: ./base, ${variables('staging', 's1')}, ${patch}`),
    };
    assert.deepEqual(namesBuiltBy(staging, all), []);
    assert.deepEqual(namesBuiltBy(production, all), ['production']);
  });

  it('may contain definitions with such paths', () => {
    const all = {
      ...files,
      'base/apps.yaml': flux('apps', `${apps}, ${variables('inner', 'i1').replace('inner', `\${ENVIRONMENT}`)}`),
      'apps/staging/s1/map.yaml': flux('inner', `path: "./inner/\${CLUSTER}"`),
      'inner/i1/map.yaml': configMap('inner'),
    };
    assert.deepEqual(namesBuiltBy('apps/staging/s1/map.yaml#inner~inner%2Fi1', all), ['inner']);
  });
});

describe('rules about a path with variables', () => {
  const web = (selected: string) => `${deployment}---\n${service.replace('app: web', `app: ${selected}`)}`;

  it('compares selectors in each cluster', async () => {
    const all = {
      ...files,
      'apps/staging/s1/map.yaml': web('web'),
      'apps/production/p1/map.yaml': web('wbe'),
    };
    assert.deepEqual((await findings(all, 'selects-nothing')).length, 1);
  });

  it('reports no object that two clusters contain', async () => {
    const release = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared, namespace: shop}\n`;
    const inner = (name: string) => flux(name, 'path: ./shared');
    const all = {
      ...files,
      'apps/staging/s1/map.yaml': inner('one'),
      'apps/production/p1/map.yaml': inner('two'),
      'shared/map.yaml': release,
    };
    assert.deepEqual(await findings(all, 'gitops-double-owner'), []);
    // The first path in one cluster is the second path in the other.
    const crossed = {
      ...files,
      'base/apps.yaml': flux('apps', `path: "./apps/\${CLUSTER}"`) + flux('more', `path: "./apps/\${ENVIRONMENT}"`),
      'clusters/staging/base.yaml': flux('base', `path: ./base, ${variables('x', 'y')}`),
      'clusters/production/base.yaml': flux('base', `path: ./base, ${variables('y', 'z')}`),
      'apps/x/map.yaml': configMap('x'),
      'apps/y/map.yaml': release,
      'apps/z/map.yaml': configMap('z'),
    };
    assert.deepEqual(await findings(crossed, 'gitops-double-owner'), []);
    // Both paths are equal in each cluster, but a patch may choose another cluster.
    const twice = {
      ...files,
      'base/apps.yaml': flux('apps', apps) + flux('more', apps),
      'apps/staging/s1/map.yaml': release,
    };
    assert.equal((await findings(twice, 'gitops-double-owner')).length, 1);
    const patch = `patches: [{target: {name: more}, patch: '[{op: add, path: /spec/kubeConfig, value: {secretRef: {name: x}}}]'}]`;
    const base = flux('base', `path: ./base, ${variables('staging', 's1')}, ${patch}`);
    assert.deepEqual(await findings({ ...twice, 'clusters/staging/base.yaml': base }, 'gitops-double-owner'), []);
    const both = { ...all, 'apps/staging/s1/other.yaml': inner('three') };
    assert.equal((await findings(both, 'gitops-double-owner')).length, 1);
  });

  it('names the folder of a cluster that does not exist', async () => {
    const all = { ...files, 'clusters/staging/base.yaml': flux('base', `path: ./base, ${variables('stagin', 's1')}`) };
    assert.deepEqual(await findings(all, 'gitops-path-missing'), [
      "'apps/stagin/s1' does not exist in this repository; the Kustomization applies nothing. Did you mean 'apps/staging/s1'?",
    ]);
    assert.deepEqual(await findings(files, 'gitops-path-missing'), []);
  });
});
