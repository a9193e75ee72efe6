/** Copies of the same objects in one tree: a fault in one copy is found, whatever the other copy contains. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

/** A common layout of demonstrations: the manifests, and one file with all of them. */
const tree: Readonly<Record<string, string>> = {
  'manifests/web.yaml': web,
  'manifests/service.yaml': service,
  'complete-demo.yaml': `${service}---\n${web}`,
};

function broken(file: string, from: RegExp, to: string): Readonly<Record<string, string>> {
  const text = tree[file] ?? '';
  assert.match(text, from);
  return { ...tree, [file]: text.replace(from, to) };
}

const selector = /(selector:\s+\{?)app: web(?=\}?\n$|\}?\n---)/;
const faults = [
  [
    'the Service of the single file',
    broken('manifests/service.yaml', selector, '$1app: wob'),
    'manifests/service.yaml',
  ],
  ['the Service of the file with all', broken('complete-demo.yaml', selector, '$1app: wob'), 'complete-demo.yaml'],
  ['the labels of the single file', broken('manifests/web.yaml', /app: web/g, 'app: wob'), 'manifests/web.yaml'],
  [
    'the labels of the file with all',
    { ...tree, 'complete-demo.yaml': `${service}---\n${web.replaceAll('app: web', 'app: wob')}` },
    'complete-demo.yaml',
  ],
] as const;

describe('copies in one tree', () => {
  for (const [what, files, where] of faults) {
    it(`do not hide a fault in ${what}`, async () => {
      const { out } = await runInMemory(['check', '--format', 'json', '.'], { files });
      const findings: readonly { readonly rule: string; readonly file: string }[] = JSON.parse(
        out.join('\n'),
      ).diagnostics;
      const folder = where.startsWith('manifests/') ? 'manifests/' : 'complete-demo.yaml';
      assert.deepEqual(
        findings.filter(({ rule }) => rule === 'selects-nothing').map(({ file }) => file.startsWith(folder)),
        [true],
      );
    });

    it(`do not hide a lost match of a diff in ${what}`, async () => {
      const both = Object.fromEntries([
        ...Object.entries(tree).map(([path, text]) => [`old/${path}`, text]),
        ...Object.entries(files).map(([path, text]) => [`new/${path}`, text]),
      ]);
      const { code, out } = await runInMemory(['diff', 'old', 'new'], { files: both });
      assert.equal(code, 1);
      const lost = out.filter((line) => line.startsWith('- '));
      assert.equal(lost.length, 1, out.join('\n'));
      assert.ok(lost[0]?.includes(`Deployment/web in shop (${where.replace('service', 'web')})`), lost[0]);
    });
  }
});
