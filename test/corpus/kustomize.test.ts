/** Does a modelled kustomization hold what kubectl prints, in kinds, names, namespaces, labels and selectors? */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Service } from '../../server/src/service.ts';
import { linesOf, linesOfText } from './built.ts';
import { corpusFolder, describeCorpus, expectedFolder, readExpected } from './corpus.ts';

describeCorpus('a kustomization', () => {
  const items = readExpected('kustomize/index.json').items.filter(isExpected);

  it('was built often enough', () => assert.equal(items.length, 12));

  for (const { folder, file } of items) {
    it(`is modelled as kubectl builds it: ${folder}`, async () => {
      const [source = ''] = folder.split('/');
      const service = new Service({ catalogue, log: { info() {}, warn: assert.fail, bug: assert.fail } });
      await service.load(
        diskFiles(),
        [fileUri(join(corpusFolder, source))],
        () => {},
        () => false,
      );
      const rendering = service.workspace().rendering(fileUri(join(corpusFolder, folder)), catalogue);
      const objects = rendering?.objects.map(({ object }) => object) ?? [];
      const expected = linesOfText(readFileSync(join(expectedFolder, file), 'utf8'));
      assert.deepEqual(linesOf(objects), expected);
    });
  }
});

function isExpected(item: unknown): item is { readonly folder: string; readonly file: string } {
  return typeof item === 'object' && item !== null && 'folder' in item && 'file' in item;
}
