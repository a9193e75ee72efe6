/** Is what an earlier run found used where nothing has changed, and never else? */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import type { StoredFiles } from '../../server/src/workspace/file-store.ts';
import { campaignRuns } from '../campaigns/scale.ts';
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

  it('is known right after the files were written, and reads them no longer once they are older', async () => {
    const caches = new Map<string, StoredFiles>();
    const failure = new Error('everything is parsed again');
    const first = await runInMemory(['check'], { files, caches, fresh: true });
    const young = await runInMemory(['check'], { files, caches, fresh: true, failure });
    assert.deepEqual([young.code, young.out, young.err], [first.code, first.out, first.err]);
    const header = [...caches].find(([name]) => name.startsWith('report'))?.[1].header;
    assert.ok(header?.includes('bad.yaml'));
  });

  it('sees that a file changed right after it was read, though it kept its size and time', async () => {
    const caches = new Map<string, StoredFiles>();
    await runInMemory(['check'], { files, caches, fresh: true });
    const changed = { ...files, 'bad.yaml': files['bad.yaml'].replace(/.$/m, 'x') };
    const cached = await runInMemory(['check'], { files: changed, caches, fresh: true });
    const anew = await runInMemory(['check'], { files: changed });
    assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
  });

  it('prints after any changes what a check without a cache prints', async () => {
    const pool = generateFiles(24).map(({ path, text }) => [path, text] as const);
    const change = fc.record({
      file: fc.nat(),
      kind: fc.constantFrom('edit', 'delete', 'restore', 'move', 'none'),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.boolean(), async (changes, fresh) => {
        const caches = new Map<string, StoredFiles>();
        const now = new Map<string, string>([...pool, ...Object.entries(files)]);
        for (const { file, kind, seed } of changes) {
          changeOne(now, [...pool, ...Object.entries(files)], file, kind, seed);
          const options = { files: Object.fromEntries(now) };
          const words = ['check', '--format', 'json'];
          const cached = await runInMemory(words, { ...options, caches, fresh });
          const anew = await runInMemory([...words, '--no-cache'], options);
          assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
        }
      }),
      { numRuns: campaignRuns(1_000) },
    );
  }).timeout(60_000);

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

/** Edits a label, or deletes, restores or moves a file. */
function changeOne(
  now: Map<string, string>,
  all: readonly (readonly [path: string, text: string])[],
  file: number,
  kind: string,
  seed: number,
): void {
  const [path, original] = all[file % all.length] ?? ['', ''];
  const text = now.get(path);
  if (kind === 'restore') now.set(path, original);
  if (kind === 'none' || text === undefined) return;
  if (kind === 'delete' || kind === 'move') now.delete(path);
  if (kind === 'move') now.set(`moved/${path}`, text);
  if (kind !== 'edit') return;
  const words = [...text.matchAll(/[a-z]{3,}/g)];
  const word = words[seed % words.length];
  // As long as before: only the content tells.
  if (word !== undefined) {
    const changed = word[0].replace(/.$/, (letter) => (letter === 'x' ? 'y' : 'x'));
    now.set(path, text.slice(0, word.index) + changed + text.slice(word.index + word[0].length));
  }
}
