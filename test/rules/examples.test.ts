/** Tests the examples of every rule, which its documentation contains. */

import assert from 'node:assert/strict';
import { allRules } from '../../server/src/rules/all.ts';
import type { Example, Rule } from '../../server/src/rules/framework/rule.ts';
import { type BenchOptions, benchOver } from '../harness/bench.ts';
import { checkFixes } from '../harness/check-fixes.ts';
import { optionsFor } from '../harness/folders.ts';
import { type MarkedFile, readMargin } from '../harness/margin.ts';

function fileNameOf({ file = 'example.yaml' }: Example): string {
  return file;
}

function story(example: Example, text = example.text): readonly MarkedFile[] {
  const files = Object.entries({ [fileNameOf(example)]: text, ...example.beside });
  return files.map(([name, content]) => readMargin(name, content.split('\n')));
}

function optionsOf({ id }: Rule, { settings }: Example): BenchOptions {
  return { settings: { ...optionsFor(id).settings, ...settings } };
}

for (const rule of allRules) {
  describe(`examples of ${rule.id}`, () => {
    it('exist, bad and good', () => {
      assert.ok(rule.bad.length > 0 && rule.good.length > 0);
    });

    for (const example of rule.bad) {
      it(`bad: ${example.title}`, async () => {
        const bench = await benchOver(story(example), optionsOf(rule, example));
        assert.deepEqual(
          bench.findings(fileNameOf(example)).map((finding) => finding.rule),
          [rule.id],
        );
        const isFixed =
          example.beside === undefined &&
          bench.findings(fileNameOf(example)).some((finding) => finding.fixes().length > 0);
        const corrected = isFixed ? checkFixes(bench) : [];
        for (const text of corrected) {
          const again = await benchOver(story(example, text), optionsOf(rule, example));
          assert.deepEqual(again.findings(fileNameOf(example)), [], text);
        }
      });
    }

    for (const example of rule.good) {
      it(`good: ${example.title}`, async () => {
        const bench = await benchOver(story(example), optionsOf(rule, example));
        const { objects, words } = bench.manifest(fileNameOf(example));
        if (fileNameOf(example).endsWith('.sh')) assert.notDeepEqual(words, []);
        else if (!fileNameOf(example).startsWith('.')) assert.equal(objects.length, 1);
        assert.deepEqual(bench.findings(fileNameOf(example)), []);
      });
    }
  });
}
