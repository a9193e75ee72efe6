/** Tests that files which GitOps objects read as data are parsed while the workspace changes. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { root } from '../kustomizations.ts';
import { app, loaded, set } from './applications.ts';
import { flux } from './flux-files.ts';

const chart = {
  'web/Chart.yaml': 'name: web\n',
  'web/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n',
  'web/values.yaml': 'name: usual\n',
  'envs/a.yaml': 'name: a\n',
  'envs/b.yaml': 'name: b\n',
};

const application = (files: string) => app('shop', `path: web, helm: {valueFiles: [${files}]}`);

describe('a values file', () => {
  it('is parsed when it is on disk, when it changes there, and when it is edited', async () => {
    const { names, write, edit, workspace } = await loaded({ ...chart, 'app.yaml': application('/envs/a.yaml') });
    assert.equal(names(), 'a');
    await write('envs/a.yaml', 'name: a2\n');
    assert.equal(names(), 'a2');
    edit('envs/a.yaml', 'name: a3\n');
    assert.equal(names(), 'a3');
    edit('envs/a.yaml', 'name: a4\n');
    assert.equal(names(), 'a4');
    workspace.close(`${root}/envs/a.yaml`);
    assert.equal(names(), 'a2');
    assert.equal(
      workspace.clone().snapshot().rendering(`${root}/app.yaml`, catalogue)?.objects[0]?.object.name?.text,
      'a2',
    );
  });

  it('is parsed when an Application begins to name it', async () => {
    const { names, write, edit, workspace, source } = await loaded({
      ...chart,
      'app.yaml': application('/envs/a.yaml'),
    });
    await write('app.yaml', application('/envs/b.yaml'));
    assert.equal(names(), 'b');
    edit('app.yaml', application('/envs/c.yaml'));
    assert.equal(workspace.isBehind, true);
    await write('envs/c.yaml', 'name: c\n');
    assert.equal(names(), 'c');
    edit('app.yaml', application('/envs/a.yaml, /envs/b.yaml'));
    await workspace.refresh(source, []);
    assert.equal(names(), 'b');
    assert.equal(workspace.isBehind, false);
  });

  it('is parsed as data only for GitOps objects', async () => {
    const { workspace } = await loaded(chart);
    assert.deepEqual(
      [...workspace.snapshot().files.values()].filter(({ data }) => data !== undefined),
      [],
    );
  });
});

it('a file from which the ConfigMap with the values of a HelmRelease is generated is parsed when it changes', async () => {
  const from = (file: string) => `resources: [release.yaml]
configMapGenerator: [{name: values, files: [values.yaml=${file}], options: {disableNameSuffixHash: true}}]
`;
  const { names, write, edit } = await loaded({
    ...chart,
    'flux.yaml': flux('all', 'path: ./prod'),
    'prod/kustomization.yaml': from('../envs/a.yaml'),
    'prod/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop}
spec:
  chart: {spec: {chart: ./web, sourceRef: {kind: GitRepository, name: flux-system}}}
  valuesFrom: [{kind: ConfigMap, name: values}]
`,
  });
  assert.match(names(), / a$/);
  await write('envs/a.yaml', 'name: a2\n');
  assert.match(names(), / a2$/);
  edit('envs/a.yaml', 'name: a3\n');
  assert.match(names(), / a3$/);
  await write('prod/kustomization.yaml', from('../envs/b.yaml'));
  assert.match(names(), / b$/);
  await write('prod/kustomization.yaml', 'resources: [release.yaml]\n');
  assert.match(names(), /Values\.name/);
});

describe('a file of a generator', () => {
  const files = {
    'set.yaml': set(`
      generators:
      - git: {repoURL: https://example.com/shop.git, files: [{path: "envs/*.json"}]}
      template:
        metadata: {name: '{{name}}'}
        spec:
          source: {repoURL: https://example.com/shop.git, path: web, helm: {valueFiles: ['/envs/{{name}}.yaml']}}
          destination: {namespace: x}
    `),
    ...chart,
    'envs/a.json': '{"name": "a"}',
  };

  it('decides which Applications exist, and which values files they read', async () => {
    const { names, write, edit } = await loaded(files);
    assert.equal(names(), 'a');
    await write('envs/b.json', '{"name": "b"}');
    assert.equal(names(), 'a b');
    await write('envs/a.json', '{"name": "b"}');
    assert.equal(names(), 'b b');
    edit('envs/a.json', '[]');
    assert.equal(names(), 'b');
  });
});
