/** Tests that the terminal shows the output in the stories. */
import assert from 'node:assert/strict';
import { readStories } from './stories.ts';

describe('the stories of the terminal', () => {
  const stories = readStories();

  it('are there', () => assert.ok(stories.length >= 6));

  for (const { name, text, now } of stories) {
    it(`${name} (else: npm run approve -- ${name}, and read the difference)`, async () => {
      assert.equal(await now(), text);
    });
  }
});
