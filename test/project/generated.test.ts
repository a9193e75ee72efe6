/** Tests that all generated files are up to date. */

import assert from 'node:assert/strict';
import { generatedFiles, generatedPictures, generatedRulePages, readGenerated } from './generate.ts';

describe('generated files', () => {
  for (const [path, text] of generatedFiles()) {
    it(`${path} is up to date (update: npm run generate)`, () => assert.equal(readGenerated(path), text));
  }

  it('the pages of rules are up to date (update: npm run generate)', async () => {
    const pages = await generatedRulePages();
    assert.ok(pages.length > 50);
    for (const [path, text] of pages) assert.equal(readGenerated(path), text, path);
  });

  it('the pictures of a review and of policies are up to date (update: npm run generate)', async () => {
    const pictures = await generatedPictures();
    assert.ok(pictures.length > 1);
    for (const [path, text] of pictures) assert.equal(readGenerated(path), text, path);
  });
});
