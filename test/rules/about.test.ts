/** Does a rule miss nothing in files that do not hold what it is about? */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { allRules } from '../../server/src/rules/all.ts';
import { ruleIds } from '../../server/src/rules/framework/check.ts';
import { Context } from '../../server/src/rules/framework/context.ts';
import { readSuppressions } from '../../server/src/rules/framework/suppressions.ts';
import { defaultSettings } from '../../server/src/settings/settings.ts';
import { Comparisons } from '../../server/src/workspace/selection/comparison-budget.ts';
import { benchOver, storyDay } from '../harness/bench.ts';
import { readStories } from '../harness/folders.ts';
import type { MarkedFile } from '../harness/margin.ts';

describe('a file without what a rule is about', () => {
  for (const { name, files: stories } of readStories()) {
    const files = stories.flatMap(documentsOf);
    it(`has nothing for it to find among the stories of ${name}`, async () => {
      const { session, uriOf } = await benchOver(files);
      const workspace = session.snapshot();
      for (const { name: fileName, text } of files) {
        const uri = uriOf(fileName);
        const file = workspace.files.get(uri);
        if (file === undefined) continue;
        const { manifest } = file;
        const asked = { uri, file, manifest, workspace, catalogue, settings: defaultSettings, isUnread: () => false };
        const suppressions = readSuppressions(text, manifest, storyDay);
        const comparisons = new Comparisons();
        const done = { ran: () => true, everyRule: true, used: new Set<never>() };
        const context = new Context({ ...asked, readText: () => text }, { ruleIds, suppressions, done, comparisons });
        for (const { id, about, find } of allRules) {
          if (about !== undefined && !context.holds(about)) assert.deepEqual(find(context), [], `${id} in ${fileName}`);
        }
      }
    });
  }
});

/** What one document of a file holds is no reason to look at the others: each is a file of its own. */
function documentsOf(file: MarkedFile): readonly MarkedFile[] {
  const documents = file.name.endsWith('.yaml') ? file.text.split(/^---$/m) : [];
  if (documents.length < 2) return [file];
  return documents.map((text, index) => ({ ...file, name: file.name.replace(/\.yaml$/, `-${index}.yaml`), text }));
}
