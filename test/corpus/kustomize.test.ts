/** Tests that a built kustomization has the kinds, names, namespaces, labels and selectors that kubectl prints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Session } from '../../server/src/session.ts';
import { linesOf, linesOfText } from './built.ts';
import { describeCorporaWith, readExpected } from './corpus.ts';

describeCorporaWith('a kustomization', { own: 3, shared: 12 }, (corpus, expectedItems) => {
  const items = readExpected(corpus, 'kustomize/index.json').items.filter(isExpected);

  it('was built often enough', () => assert.equal(items.length, expectedItems));

  for (const { folder, file } of items) {
    it(`is modelled as kubectl builds it: ${folder}`, async () => {
      const [source = ''] = folder.split('/');
      const session = new Session({ catalogue, log: { info() {}, warn: assert.fail, bug: assert.fail } });
      await session.workspace.load(
        diskFiles(),
        [fileUri(join(corpus.folder, source))],
        () => {},
        () => false,
      );
      const rendering = session.snapshot().rendering(fileUri(join(corpus.folder, folder)), catalogue);
      const objects = rendering?.objects.map(({ object }) => object) ?? [];
      const expected = linesOfText(readFileSync(join(corpus.expectedFolder, file), 'utf8'));
      assert.deepEqual(linesOf(objects), expected);
    });
  }
});

function isExpected(item: unknown): item is { readonly folder: string; readonly file: string } {
  return typeof item === 'object' && item !== null && 'folder' in item && 'file' in item;
}
