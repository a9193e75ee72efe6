/** Tests that a check after a change of the sources of allowed values reports the same as a check of all files. */
import assert from 'node:assert/strict';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { runInMemory } from './memory-world.ts';

const object = (kind: string, name: string, labels = '', apiVersion = 'v1') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  labels: {${labels}}\n`;

const files: Readonly<Record<string, string>> = {
  '.selector-lens.yaml': `labels:
  team: { from: codeowners }
  system: { from: backstage }
  env: { from: namespaces }
  squad: { from: { folders: ["teams/*"] } }
`,
  '.github/CODEOWNERS': '* @acme/blue\n',
  'catalog-info.yaml': object('Group', 'checkout', '', 'backstage.io/v1alpha1'),
  'namespaces.yaml': object('Namespace', 'shop'),
  'teams/green/a.yaml': object('ConfigMap', 'green'),
  'apps/a/prices.yaml': object('ConfigMap', 'prices', 'team: red, system: pay, env: test, squad: yellow'),
};

const changes: Readonly<Record<string, string>> = {
  '.github/CODEOWNERS': '* @acme/blue @acme/red\n',
  'catalog-info.yaml': object('Group', 'pay', '', 'backstage.io/v1alpha1'),
  'namespaces.yaml': object('Namespace', 'test'),
  'teams/yellow/a.yaml': object('ConfigMap', 'yellow'),
};

const withoutCodeOwners = Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('CODEOWNERS')));

async function afterChange(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const caches = new Map<string, StoredFiles>();
  const words = ['check', '--rule', 'label-policy'];
  const first = await runInMemory(words, { files: before, caches });
  const second = await runInMemory(words, { files: after, caches });
  assert.deepEqual(second.out, (await runInMemory(words, { files: after })).out);
  return [first, second].map(({ out }) => out.filter((line) => line.includes('[label-policy]')).length);
}

describe('a check after a change of allowed values', () => {
  for (const [path, text] of Object.entries(changes))
    it(`follows ${path}`, async () => {
      assert.deepEqual(await afterChange(files, { ...files, [path]: text }), [4, 3]);
    });

  it('reports no value of a source that is missing', async () => {
    assert.deepEqual(await afterChange(files, withoutCodeOwners), [4, 3]);
    assert.deepEqual(await afterChange(withoutCodeOwners, files), [3, 4]);
  });
});
