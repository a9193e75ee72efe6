/** Is what an earlier run found used where nothing has changed, and never else? */
import assert from 'node:assert/strict';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import type { StoredFiles } from '../../server/src/workspace/file-store.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { type MemoryOptions, runInMemory } from './memory-world.ts';

const files = { 'bad.yaml': badPrices, 'app/web.yaml': web, 'app/service.yaml': service };

/** Runs the same twice, the second time where reading the files would be noticed. */
async function twice(words: readonly string[], second: MemoryOptions['files'] = files, again = words) {
  const caches = new Map<string, StoredFiles>();
  const first = await runInMemory(words, { files, caches });
  const failure = new Error('everything is read again');
  const unread = await runInMemory(again, { files: second, caches, failure });
  const fresh = await runInMemory(again, { files: second });
  return { first, fresh, unread, isKnown: !unread.err.some((line) => line.includes(failure.message)) };
}

describe('a second check', () => {
  for (const { name: format } of checkFormats) {
    it(`says the same without reading a file, as ${format}`, async () => {
      const { first, unread, isKnown } = await twice(['check', '--format', format]);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out, unread.err], [first.code, first.out, first.err]);
    });
  }

  it('says it in another format, by another severity, and less a baseline', async () => {
    for (const words of [
      ['check', '--format', 'json'],
      ['check', '--severity', 'hint'],
    ]) {
      const { fresh, unread, isKnown } = await twice(['check'], files, words);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out], [fresh.code, fresh.out]);
    }
  });

  it('reads where a file has changed, came or went', async () => {
    const { 'bad.yaml': _, ...fewer } = files;
    const changes = [
      { ...files, 'bad.yaml': goodPrices },
      { ...files, 'app/new.yaml': goodPrices },
      { ...files, '.selector-lens.yaml': 'rules: {}\n' },
      fewer,
    ];
    for (const second of changes) assert.equal((await twice(['check'], second)).isKnown, false);
  });

  it('reads where something else is asked', async () => {
    for (const words of [
      ['check', 'app'],
      ['check', '--root', 'app', 'app'],
      ['check', '-n', 'other'],
      ['check', 'bad.yaml'],
      ['check', '--no-cache'],
      ['check', '--fix'],
      ['match', '-l', 'a'],
    ]) {
      assert.equal((await twice(['check'], files, words)).isKnown, false, words.join(' '));
    }
  });

  it('still says that a folder without manifests is hardly meant', async () => {
    const caches = new Map<string, StoredFiles>();
    for (let round = 0; round < 2; round++) {
      const { code, err } = await runInMemory(['check'], { files: { 'a.txt': '' }, caches });
      assert.deepEqual([code, err], [2, ['selector-lens: No Kubernetes objects in the given paths.']]);
    }
  });

  it('is not told what stands beside a finding in a Secret', async () => {
    const secret =
      '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "labels": {"a": "b c"}}, "stringData": {"p": "hunter2"}}';
    const caches = new Map<string, StoredFiles>();
    const { out } = await runInMemory(['check'], { files: { 'secret.json': secret }, caches });
    assert.ok(out.some((line) => line.includes('"b c"')));
    assert.ok(!out.join('\n').includes('hunter2'));
    for (const { header, bytes } of caches.values())
      assert.ok(!`${header}${new TextDecoder().decode(bytes)}`.includes('hunter2'));
  });
});
