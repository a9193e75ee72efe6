/** Tests that all generated files are up to date. */

import assert from 'node:assert/strict';
import { generatedFiles, generatedPicture, readGenerated } from './generate.ts';

describe('generated files', () => {
  for (const [path, text] of generatedFiles()) {
    it(`${path} is up to date (update: npm run generate)`, () => assert.equal(readGenerated(path), text));
  }

  it('the picture of a review is up to date (update: npm run generate)', async () => {
    const [path, text] = await generatedPicture();
    assert.equal(readGenerated(path), text);
  });
});
