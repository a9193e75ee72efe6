/** Tests that the rules report the findings in the margins of the stories, and that every fix removes its finding. */

import assert from 'node:assert/strict';
import { allRules } from '../../server/src/rules/all.ts';
import { type Bench, benchOver, isAtBase } from '../harness/bench.ts';
import { checkFixes } from '../harness/check-fixes.ts';
import { storiesVariable } from '../harness/choose-tests.ts';
import { optionsFor, readStories } from '../harness/folders.ts';
import { checkMargins } from '../harness/stories.ts';

const folders = readStories();
/** The rules that `npm run test:fast -- RULE` names; none for all. */
const chosen = (process.env[storiesVariable] ?? '').split(',').filter((name) => name !== '');

describe('stories', () => {
  it('exist for every rule, and only for rules', () => {
    const names = folders.map((folder) => folder.name).toSorted();
    assert.deepEqual(names, allRules.map((rule) => rule.id).toSorted());
  });

  for (const folder of folders) {
    if (chosen.length > 0 && !chosen.includes(folder.name)) continue;
    describe(folder.name, () => {
      let bench: Bench;
      before(async () => {
        bench = await benchOver(folder.files, optionsFor(folder.name));
      });

      it('report the rule at least once, and contain text without findings', () => {
        const announced = folder.files.filter((file) => file.findings.some(({ rule }) => rule === folder.name));
        assert.ok(announced.length > 0);
        assert.ok(folder.files.some((file) => file.findings.length === 0));
      });

      for (const file of folder.files.filter((each) => !isAtBase(each))) {
        it(file.name, () => {
          checkMargins(bench, file.name);
          if (file.findings.some((finding) => finding.fixes.length > 0)) checkFixes(bench, file.name);
        });
      }
    });
  }
});
