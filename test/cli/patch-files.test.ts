/** Tests patches in files of any name: those that are read, and those whose effect is unknown. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const wrong = web.replace(
  '    metadata:\n      labels:\n        app: web',
  '    metadata:\n      labels:\n        app: wob',
);
const operations = JSON.stringify([{ op: 'replace', path: '/spec/template/metadata/labels/app', value: 'web' }]);

function files(patch: string, text: string) {
  return {
    'web.yaml': wrong,
    'service.yaml': service,
    'kustomization.yaml': `resources: [web.yaml, service.yaml]\npatches: [{target: {kind: Deployment}, path: ${patch}}]\n`,
    [patch]: text,
  };
}

describe('a patch in a file', () => {
  it('is read from JSON that contains only operations', async () => {
    assert.notEqual(wrong, web);
    const { out } = await runInMemory(['match', 'Service/web', '--format', 'json'], {
      files: files('p.json', operations),
    });
    assert.match(out.join('\n'), /"name": "web"/);
    assert.equal((await runInMemory(['check'], { files: files('p.json', operations) })).code, 0);
    const other = operations.replace('"web"', '"wub"');
    const { code, out: lines } = await runInMemory(['check'], { files: files('p.json', other) });
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /selector-template-mismatch/);
  });

  for (const name of ['p.patch', 'p.txt', 'patch'])
    it(`has an unknown effect if it is in ${name}, also on labels that exist`, async () => {
      const { code, out } = await runInMemory(['check'], { files: files(name, operations) });
      assert.deepEqual([code, out.filter((line) => /: (?:error|warning): /.test(line))], [0, []]);
      const { out: lines } = await runInMemory(['match', 'Service/web'], { files: files(name, operations) });
      assert.doesNotMatch(lines.join('\n'), /matches nothing/);
    });
});
