/**
 * Tests that `match` selects the objects that kubectl selects from the folders of the corpora, and accepts the
 * selectors that kubectl accepts.
 */
import assert from 'node:assert/strict';
import { parseSelector } from '../../server/src/engine/index.ts';
import { describeCorporaWith, readExpected } from './corpus.ts';
import { runOnDisk } from './disk-world.ts';

interface Selected {
  readonly folder: string;
  readonly selector: string;
  /** `Kind/name`, sorted. */
  readonly expected: readonly string[];
}

describeCorporaWith('kubectl get -l over a folder', { own: 9, shared: 32 }, (corpus, expectedItems) => {
  const items = readExpected(corpus, 'kubectl-select.json').items.filter(isSelected);

  it('is run often enough', () => assert.equal(items.length, expectedItems));

  for (const { folder, selector, expected } of items) {
    it(`selects what match selects: ${folder} -l '${selector}'`, async () => {
      const words = ['match', '--as-written', '--selector', selector, '--format', 'json', '--root', folder, folder];
      const { code, out, err } = await runOnDisk(words, corpus.folder);
      assert.equal(err, expected.length === 0 ? 'No objects match.' : '');
      assert.equal(code, 0);
      const { objects }: { readonly objects: readonly Named[] } = JSON.parse(out);
      assert.deepEqual(objects.map(({ kind, name }) => `${kind}/${name}`).sort(), [...expected].sort());
      assert.ok(objects.every(({ file }) => file.startsWith(`${folder}/`)));
    });
  }
});

describeCorporaWith(
  'the selectors that kubectl accepts',
  { shared: 'kubectl-selector-syntax.json' },
  (corpus, list) => {
    const { items: all } = readExpected(corpus, list);
    const items = all.filter(isJudged);

    it('are many', () => assert.equal(items.length, all.length));

    for (const { selector, valid } of items) {
      it(`${valid ? 'are' : 'are not'} like ${JSON.stringify(selector)}`, () => {
        assert.equal(parseSelector(selector).ok, valid);
      });
    }
  },
);

interface Named {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
}

function isSelected(item: unknown): item is Selected {
  return isRecord(item) && typeof item['folder'] === 'string' && Array.isArray(item['expected']);
}

function isJudged(item: unknown): item is { readonly selector: string; readonly valid: boolean } {
  return isRecord(item) && typeof item['selector'] === 'string' && typeof item['valid'] === 'boolean';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
