/** Tests that `labels` counts the labels of objects as they are applied, and that its result is cached. */
import assert from 'node:assert/strict';
import type { LabelTable } from '../../server/src/features/labels/label-table.ts';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { service, web } from './manifests.ts';
import { type MemoryOptions, type Ran, runInMemory } from './memory-world.ts';

async function labels(files: NonNullable<MemoryOptions['files']>, ...words: readonly string[]): Promise<LabelTable> {
  const { code, json } = await runInMemory(['labels', '--format', 'json', ...words], { files });
  assert.equal(code, 0);
  return json as LabelTable;
}

const configMap = (name: string, given: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {${given}}\n`;

describe('labels', () => {
  it('counts objects once for each scope, and pods', async () => {
    const table = await labels({
      'base/web.yaml': web,
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'dev/kustomization.yaml': 'resources: [../base]\nlabels: [{pairs: {env: dev}}]\n',
      'prod/kustomization.yaml': 'resources: [../base]\nlabels: [{pairs: {env: prod}}]\n',
    });
    assert.deepEqual([table.objects, table.pods], [2, 2]);
    const env = table.keys.find(({ key }) => key === 'env');
    assert.deepEqual(
      env?.values.map(({ value, objects, pods }) => [value, objects, pods]),
      [
        ['dev', 1, 0],
        ['prod', 1, 0],
      ],
    );
    assert.deepEqual(env?.setBy, [
      {
        by: 'kustomization',
        count: 2,
        files: { count: 2, first: ['dev/kustomization.yaml', 'prod/kustomization.yaml'] },
      },
    ]);
  });

  it('selects the objects of its paths', async () => {
    const files = { 'a/web.yaml': web, 'b/service.yaml': service };
    assert.deepEqual([(await labels(files, 'a')).objects, (await labels(files, 'b')).pods], [1, 0]);
  });

  it('names similar keys and values, but no variants', async () => {
    const { similar } = await labels({
      'a.yaml': configMap('a', 'app.kubernetes.io/part-of: shop, team: blue, env: prod-1'),
      'b.yaml': configMap('b', 'app.kubernetes.io/part-of: Shop, owner: blue, env: prod-2'),
      'c.yaml': configMap('c', 'acme.example/team: blue, tier: web'),
    });
    assert.deepEqual(
      similar.map(({ key, names, reason }) => [key, ...names.toSorted(), reason]),
      [
        [undefined, 'acme.example/team', 'team', 'prefix'],
        [undefined, 'owner', 'team', 'meaning'],
        ['app.kubernetes.io/part-of', 'Shop', 'shop', 'spelling'],
      ],
    );
  });

  it('states unknown values and labels that a template may add', async () => {
    const { keys, coverage } = await labels({
      '.selector-lens.yaml': 'labelPolicy: [{ key: team, required: true }]\n',
      'a.yaml': configMap('a', 'team: "{{ .team }}"'),
      'b.yaml': configMap('b', '{{ .labels }}').replace('{{{ .labels }}}', '\n    {{- include "x" . | nindent 4 }}'),
      'c.yaml': configMap('c', 'app: c'),
    });
    assert.equal(keys.find(({ key }) => key === 'team')?.unknown, 1);
    const [team] = coverage.filter(({ key }) => key === 'team');
    assert.deepEqual(
      [team?.total, team?.have, team?.unknown, team?.missing.first.map(({ name }) => name)],
      [3, 1, 1, ['ConfigMap/c']],
    );
  });

  it('answers again without parsing a file if nothing has changed', async () => {
    const caches = new Map<string, StoredFiles>();
    const run = (files: NonNullable<MemoryOptions['files']>): Promise<Ran> =>
      runInMemory(['labels'], { files, caches });
    const files = { 'web.yaml': web, 'broken.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {\n' };
    const first = await run(files);
    const stored = new Map(caches);
    const second = await run(files);
    assert.deepEqual([second.code, second.out, second.err], [2, first.out, first.err]);
    assert.ok(first.err.length > 0 && first.readAgain.length > 0);
    assert.deepEqual(second.readAgain, []);
    // The result was neither computed nor written again.
    assert.deepEqual([...caches.values()], [...stored.values()]);
    const changed = await run({ ...files, 'web.yaml': web.replaceAll('app: web', 'app: changed') });
    assert.notDeepEqual(changed.out, first.out);
  });

  it('are not chosen by --fix if several values are allowed', async () => {
    const configuration = 'labels: { team: { values: [blue, red], required: true } }\n';
    const files = { '.selector-lens.yaml': configuration, 'a.yaml': configMap('a', 'team: green'), 'web.yaml': web };
    const { written } = await runInMemory(['check', '--fix', '--unsafe-fixes'], { files });
    assert.deepEqual(written, {});
    const near = { ...files, 'a.yaml': configMap('a', 'team: bleu') };
    const fixed = await runInMemory(['check', '--fix', '--unsafe-fixes'], { files: near });
    assert.match(fixed.written['a.yaml'] ?? '', /team: blue/);
  });

  it('refuses a format of the table for an export', async () => {
    const { code, err } = await runInMemory(['labels', '--export', 'kyverno', '--format', 'json']);
    assert.deepEqual([code, err[0]], [2, "selector-lens: The options '--export' and '--format' exclude each other."]);
  });
});
