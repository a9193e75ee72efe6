/** Tests that a rule would find nothing in the files for which it is not evaluated. */

import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { allRules } from '../../server/src/rules/all.ts';
import { Context } from '../../server/src/rules/framework/context.ts';
import type { Example, Rule } from '../../server/src/rules/framework/rule.ts';
import { benchOver } from '../harness/bench.ts';
import { optionsFor } from '../harness/folders.ts';
import { readMargin } from '../harness/margin.ts';

/** Returns the findings in the files of an example. */
async function findingsIn({ id }: Rule, { text, file = 'example.yaml', beside, settings }: Example) {
  const files = Object.entries({ [file]: text, ...beside });
  const story = files.map(([name, content]) => readMargin(name, content.split('\n')));
  const bench = await benchOver(story, { settings: { ...optionsFor(id).settings, ...settings } });
  // Files of the base with which a workspace is compared are not checked.
  const checked = files.filter(([name]) => !name.startsWith('at-base/'));
  return checked.flatMap(([name]) => bench.findings(name).map(({ rule, span }) => ({ name, rule, span })));
}

describe('rules for files without what they need', () => {
  for (const rule of allRules) {
    it(`find nothing in the examples of ${rule.id}`, async () => {
      for (const example of [...rule.bad, ...rule.good]) {
        const found = await findingsIn(rule, example);
        const all = mock.method(Context.prototype, 'has', () => true);
        assert.deepEqual(await findingsIn(rule, example), found, example.title);
        all.mock.restore();
      }
    });
  }
});
