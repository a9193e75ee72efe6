/** Tests that the texts of findings and fixes can be translated. */

import assert from 'node:assert/strict';
import { allRules } from '../../server/src/rules/all.ts';
import { setTranslations } from '../../server/src/text/localize.ts';
import { benchOver } from '../harness/bench.ts';
import { optionsFor } from '../harness/folders.ts';
import { readMargin } from '../harness/margin.ts';
import { localizedTexts } from '../project/localization.ts';

/** Rules whose messages the engine writes. They stay in English, as those of the API server do. */
const ofEngine: ReadonlySet<string> = new Set([
  'annotation-key-syntax',
  'annotations-size',
  'field-selector-syntax',
  'invalid-as-applied',
  'label-key-syntax',
  'label-value-syntax',
  'name-syntax',
  'node-selector-syntax',
  'selector-syntax',
  'taint-syntax',
]);

/** The name of an object, such as `Service/web.`. */
const objectName = /^\w+\/[\w-]+\.$/;

describe('the translation of findings', () => {
  before(() => setTranslations(new Map(Object.keys(localizedTexts()).map((text) => [text, `⟦${text}⟧`]))));
  after(() => setTranslations(new Map()));

  for (const rule of allRules) {
    it(`covers the messages and fixes of ${rule.id}`, async () => {
      for (const { file = 'example.yaml', text, beside, settings } of rule.bad) {
        const files = Object.entries({ [file]: text, ...beside });
        const bench = await benchOver(
          files.map(([name, content]) => readMargin(name, content.split('\n'))),
          { settings: { ...optionsFor(rule.id).settings, ...settings } },
        );
        const texts = bench
          .findings(file)
          .flatMap(({ message, related, fixes }) => [
            ...(ofEngine.has(rule.id) ? [] : [message]),
            ...related.map((each) => each.message),
            ...fixes().map(({ title }) => title),
          ]);
        assert.deepEqual(
          texts.filter((each) => !each.startsWith('⟦') && !objectName.test(each)),
          [],
        );
      }
    });
  }
});
