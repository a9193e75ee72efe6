/** Tests the updates that `diff` reports if a kustomization or a GitOps object writes an immutable field. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

async function diff(old: Files, fresh: Files, ...words: string[]) {
  const files = Object.fromEntries([
    ...Object.entries(old).map(([path, text]) => [`old/${path}`, text]),
    ...Object.entries(fresh).map(([path, text]) => [`new/${path}`, text]),
  ]);
  return runInMemory(['diff', 'old', 'new', ...words], { files });
}

describe('diff of an immutable field that a kustomization writes', () => {
  const job = (command: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: clean, namespace: shop}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: clean, image: clean, command: [${command}]}]
`;
  const patch = (cpu: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: clean, namespace: shop}
spec: {template: {spec: {containers: [{name: clean, resources: {limits: {cpu: ${cpu}}}}]}}}
`;
  const operation = (value: string) =>
    `[{op: add, path: /spec/template/spec/containers/0/resources, value: {limits: {cpu: ${value}}}}]`;
  const indented = (text: string) => text.replaceAll(/^/gm, '      ').trimStart();
  const folder = (patched: string, others: Files = {}) => ({
    'kustomization.yaml': `resources: [job.yaml]\n${patched}`,
    'job.yaml': job('a'),
    ...others,
  });
  const target = 'target: {kind: Job}';
  const ways: Readonly<Record<string, (cpu: string) => Files>> = {
    'in a file': (cpu) => folder('patches: [{path: patch.yaml}]\n', { 'patch.yaml': patch(cpu) }),
    'in a block': (cpu) => folder(`patches:\n  - patch: |-\n      ${indented(patch(cpu))}\n`),
    'in a folded block': (cpu) =>
      folder(`patches:\n  - patch: >-\n      ${indented(patch(cpu).replaceAll('\n', '\n\n'))}\n`),
    'in quotes': (cpu) => folder(`patches: [{patch: ${JSON.stringify(patch(cpu))}}]\n`),
    'with operations': (cpu) => folder(`patches: [{${target}, patch: ${JSON.stringify(operation(cpu))}}]\n`),
    'with operations in a file': (cpu) =>
      folder(`patches: [{${target}, path: patch.yaml}]\n`, { 'patch.yaml': operation(cpu) }),
  };
  const rejected = async (old: Files, fresh: Files) => {
    const { code, out } = await diff(old, fresh, '--format', 'json');
    const { changes, complete } = JSON.parse(out.join('\n'));
    assert.equal(complete, true);
    return { code, paths: changes.map(({ kind, path }: Record<string, string>) => `${kind} ${path}`) };
  };

  for (const [name, written] of Object.entries(ways)) {
    it(`${name}: changes of the object and of the patch are rejected`, async () => {
      const old = written('1');
      const isRejected = { code: 1, paths: ['immutable spec.template'] };
      assert.deepEqual(await rejected(old, old), { code: 0, paths: [] });
      assert.deepEqual(await rejected(old, { ...old, 'job.yaml': job('b') }), isRejected);
      assert.deepEqual(await rejected(old, written('2')), isRejected);
      // An equal quantity, and a field that both files set.
      assert.deepEqual(await rejected(old, written("'1'")), { code: 0, paths: [] });
      const both = job('a').replace('image: clean', 'image: clean, resources: {limits: {cpu: 1}}');
      assert.deepEqual(await rejected(old, { ...old, 'job.yaml': both }), { code: 0, paths: [] });
    });
  }

  it('may be images, labels and annotations of a kustomization or of a GitOps object', async () => {
    const isRejected = { code: 1, paths: ['immutable spec.template'] };
    const withImage = job('a').replace('image: clean', 'image: a:1');
    const old = { 'job.yaml': withImage, 'kustomization.yaml': 'resources: [job.yaml]\n' };
    const changed = (more: string) => ({ ...old, 'kustomization.yaml': `resources: [job.yaml]\n${more}\n` });
    for (const more of [
      'images: [{name: a, newTag: "2"}]',
      'images: [{name: a, newName: b}]',
      'labels: [{pairs: {team: bakers}, includeTemplates: true}]',
      'commonAnnotations: {team: bakers}',
      'transformers: ["{apiVersion: builtin, kind: ImageTagTransformer, imageTag: {name: a, newTag: \\"2\\"}}\\n"]',
    ])
      assert.deepEqual(await rejected(old, changed(more)), isRejected, more);
    for (const more of ['images: [{name: other, newTag: "2"}]', 'images: [{name: a, newTag: "1"}]'])
      assert.deepEqual(await rejected(old, changed(more)), { code: 0, paths: [] }, more);
    // The overlay changes the image that its base sets.
    const overlay = (tag: string) => ({
      'base/job.yaml': withImage,
      'base/kustomization.yaml': `resources: [job.yaml]\nimages: [{name: a, newName: b, newTag: "${tag}"}]\n`,
      'prod/kustomization.yaml': 'resources: [../base]\nimages: [{name: b, newTag: "9"}]\n',
    });
    assert.deepEqual(await rejected(overlay('1'), overlay('2')), { code: 0, paths: [] });
    const flux = (tag: string) => ({
      'apps/job.yaml': withImage,
      'apps/kustomization.yaml': 'resources: [job.yaml]\nimages: [{name: a, newTag: "3"}]\n',
      'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, images: [{name: a, newTag: "${tag}"}], sourceRef: {kind: GitRepository, name: own}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: own, namespace: flux-system}
spec: {url: https://github.com/bakery/apps}
`,
    });
    assert.deepEqual(await rejected(flux('1'), flux('1')), { code: 0, paths: [] });
    assert.deepEqual(await rejected(flux('1'), flux('2')), isRejected);
  });

  it('is not compared if a replacement writes it, and the answer is incomplete', async () => {
    const values = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: shop}\ndata: {name: b}\n';
    const replaced = (field: string) => `resources: [job.yaml, values.yaml]
replacements:
  - source: {kind: ConfigMap, name: values, fieldPath: data.name}
    targets: [{select: {kind: Job}, fieldPaths: [${field}]}]
`;
    const old = {
      'job.yaml': job('a'),
      'values.yaml': values,
      'kustomization.yaml': 'resources: [job.yaml, values.yaml]\n',
    };
    const compared = async (field: string) => {
      const fresh = { ...old, 'kustomization.yaml': replaced(field) };
      const { code, out, err } = await diff(old, fresh, '--format', 'json');
      return [code, JSON.parse(out.join('\n')).complete, ...err];
    };
    assert.deepEqual(await compared('spec.template.spec.containers.0.image'), [
      0,
      false,
      'selector-lens: A replacement writes immutable fields of Job/clean in shop: they are not compared.',
    ]);
    assert.deepEqual(await compared('spec.activeDeadlineSeconds'), [0, true]);
  });

  it('may be the name of a generated object, which ends with a hash of its content', async () => {
    const using = (kind: string, generator: string, field: string) => ({
      'kustomization.yaml': `namespace: shop\nresources: [job.yaml]\n${generator}`,
      'job.yaml': job('a').replace(
        'containers:',
        `volumes: [{name: env, ${kind}: {${field}: env}}]\n      containers:`,
      ),
    });
    const map = (value: string) =>
      using('configMap', `configMapGenerator: [{name: env, literals: [A=${value}]}]\n`, 'name');
    const secret = (value: string) =>
      using('secret', `secretGenerator: [{name: env, literals: [A=${value}]}]\n`, 'secretName');
    const count = async (old: Files, fresh: Files) => {
      const { json } = await diff(old, fresh, '--format', 'json');
      return (json as { changes: readonly { kind: string }[] }).changes.map(({ kind }) => kind);
    };
    assert.deepEqual(await count(map('1'), map('2')), ['immutable']);
    assert.deepEqual(await count(secret('1'), secret('2')), ['immutable']);
    assert.deepEqual(await count(map('1'), { ...map('1'), 'job.yaml': `# again\n${map('1')['job.yaml']}` }), []);
    const plain = `${map('2')['kustomization.yaml']}generatorOptions: {disableNameSuffixHash: true}\n`;
    const named = { ...map('2'), 'kustomization.yaml': plain };
    assert.deepEqual(await count(named, { ...named, 'kustomization.yaml': plain.replace('A=2', 'A=3') }), []);
    const base = (value: string) => ({
      'over/kustomization.yaml': 'resources: [../base]\n',
      ...Object.fromEntries(Object.entries(map(value)).map(([name, text]) => [`base/${name}`, text])),
    });
    assert.deepEqual(await count(base('1'), base('2')), ['immutable']);
  });

  it('may also be a claim, or a template of claims', async () => {
    const claim = (mode: string, type: string) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [${mode}]${type}, resources: {requests: {storage: 1Gi}}}
`;
    const database = (mode: string, type: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: db}]}}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [${mode}]${type}, resources: {requests: {storage: 1Gi}}}
`;
    for (const [write, kind, path] of [
      [claim, 'v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}', 'spec.accessModes'],
      [database, 'apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop}', 'spec.volumeClaimTemplates'],
    ] as const) {
      const own = 'accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}';
      const spec =
        write === claim
          ? 'spec: {storageClassName: fast}'
          : `spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {${own}, storageClassName: fast}}]}`;
      const old = {
        'kustomization.yaml': 'resources: [object.yaml]\npatches: [{path: patch.yaml}]\n',
        'object.yaml': write('ReadWriteOnce', ''),
        'patch.yaml': `apiVersion: ${kind}\n${spec}\n`,
      };
      const isRejected = write === claim ? { code: 1, paths: [`immutable ${path}`] } : { code: 0, paths: [] };
      // The list of a StatefulSet is replaced by the patch.
      assert.deepEqual(await rejected(old, { ...old, 'object.yaml': write('ReadWriteMany', '') }), isRejected);
      const patched = { ...old, 'patch.yaml': old['patch.yaml'].replace('fast', 'slow') };
      const field = write === claim ? 'spec.storageClassName' : path;
      assert.deepEqual(await rejected(old, patched), { code: 1, paths: [`immutable ${field}`] });
    }
  });
});
