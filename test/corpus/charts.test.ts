/** Of how many selectors in real charts is it known what they take, without running Helm? */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Service } from '../../server/src/service.ts';
import { selectionOf } from '../../server/src/workspace/selection.ts';
import { objectsOf } from '../../server/src/workspace/workspace.ts';
import { corpusFolder, describeCorpus, sources } from './corpus.ts';

const log = { info() {}, warn() {}, bug: (where: string) => assert.fail(where) };

/** The selectors in templates over kinds of which their chart has something; `known` is how many certainly take one. */
async function count(source: string): Promise<{ readonly asked: number; readonly known: number }> {
  const service = new Service({ catalogue, log });
  await service.load(
    diskFiles(),
    [fileUri(join(corpusFolder, source))],
    () => {},
    () => false,
  );
  const workspace = service.workspace();
  const templates = [...workspace.files.values()].filter(({ chartKey = '' }) => chartKey !== '');
  const selections = templates.flatMap((file) =>
    objectsOf(workspace, file).flatMap((object) =>
      object.selectorSites
        .filter(({ selector, state }) => selector?.ok && state === 'present')
        .map((site) => selectionOf(workspace, catalogue, { file, object }, site)),
    ),
  );
  const asked = selections.filter(({ hasCompany }) => hasCompany);
  return { asked: asked.length, known: asked.filter(({ matches }) => matches.length > 0).length };
}

describeCorpus('the selectors in templates of charts', () => {
  it('certainly take something in four of five, by what is written or by equal expressions', async () => {
    let [asked, known] = [0, 0];
    for (const source of sources()) {
      const counted = await count(source);
      asked += counted.asked;
      known += counted.known;
    }
    console.log(`      ${known} of ${asked} selectors in templates: ${Math.round((100 * known) / asked)} percent`);
    assert.ok(asked > 150 && known / asked >= 0.8);
  });
});
