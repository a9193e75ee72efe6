/** Measures the share of selectors in chart templates whose matches are known without running Helm. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { Session } from '../../server/src/session.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { objectsOf, withoutDefaults } from '../../server/src/workspace/snapshot.ts';
import { type Corpus, describeCorporaWith, sources } from './corpus.ts';

const log = { info() {}, warn() {}, bug: (where: string) => assert.fail(where) };

/**
 * The selectors in templates over kinds that their chart contains; `known` is the number of selectors with a certain
 * match.
 */
async function count(corpus: Corpus, source: string): Promise<{ readonly asked: number; readonly known: number }> {
  const session = new Session({ catalogue, log });
  await session.workspace.load(
    diskFiles(),
    [fileUri(join(corpus.folder, source))],
    () => {},
    () => false,
  );
  const workspace = withoutDefaults(session.snapshot());
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

/** The minimum number of selectors. */
const least = { own: 5, shared: 150 };

describeCorporaWith('the selectors in templates of charts', least, (corpus, atLeast) => {
  it('certainly match something in four of five, by what is written or by equal expressions', async () => {
    let [asked, known] = [0, 0];
    for (const source of sources(corpus)) {
      const counted = await count(corpus, source);
      asked += counted.asked;
      known += counted.known;
    }
    console.log(`      ${known} of ${asked} selectors in templates: ${Math.round((100 * known) / asked)} percent`);
    assert.ok(asked > atLeast && known / asked >= 0.8);
  });
});
