/**
 * Runs the fast tests, or those that words select: `npm run test:fast -- hover`. Options that begin with `-` are passed
 * to mocha. Words also select campaigns, in their small size. All tests run in parallel, with one process for each processor.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from './harness/built.ts';
import { chooseTests, fastTests, namedTests, storiesVariable } from './harness/choose-tests.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const words = firstOption === -1 ? given : given.slice(0, firstOption);
const options = firstOption === -1 ? [] : given.slice(firstOption);
const rules = readdirSync(new URL('rules', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const choice = chooseTests(words, words.length === 0 ? fastTests() : namedTests(), rules);
if (choice.ok) {
  const isAll = words.length === 0;
  // Otherwise, each process would build the bundles.
  if (isAll) build();
  const parallel = isAll ? ['--parallel', '--jobs', `${availableParallelism()}`] : [];
  const parameters = ['node_modules/mocha/bin/mocha.js', ...parallel, ...options, ...choice.files];
  const env = { ...process.env, [storiesVariable]: choice.stories.join(',') };
  process.exitCode = spawnSync(process.execPath, parameters, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
} else {
  console.error(choice.problem);
  process.exitCode = 2;
}
