/** Tests that the terminal shows the output in the stories. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { commands } from '../../server/src/cli/commands/all.ts';
import { readStories } from './stories.ts';

describe('the stories of the terminal', () => {
  const stories = readStories();

  it('exist', () => assert.ok(stories.length >= 6));

  it('show or test every option of every command', () => {
    const folder = new URL('.', import.meta.url);
    const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
    const all = [
      ...stories.map(({ text }) => text),
      ...tests.map((name) => readFileSync(new URL(name, folder), 'utf8')),
    ];
    const words = new Set(all.join('\n').match(/--[A-Za-z-]+/g));
    const untold = commands.flatMap(({ name, options }) =>
      options.filter((option) => !words.has(`--${option.name}`)).map((option) => `${name} --${option.name}`),
    );
    assert.deepEqual(untold, []);
  });

  for (const { name, text, now } of stories) {
    it(`${name} (update: npm run approve -- ${name}, and review the diff)`, async () => {
      assert.equal(await now(), text);
    });
  }
});
