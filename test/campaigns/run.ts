/** Runs the test campaigns in full size: all of them, or those whose file names start with the given words. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const names = process.argv.slice(2);
const files =
  names.length === 0 ? ['test/campaigns/**/*.test.ts'] : names.map((name) => `test/campaigns/${name}*.test.ts`);
const hour = 3_600_000;
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--forbid-only',
    '--forbid-pending',
    '--timeout',
    `${hour}`,
    ...files,
  ],
  {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, SELECTOR_LENS_CAMPAIGN: 'full' },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
