/** Provides the bundles in `dist/` to the tests that need them, built from the current sources. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Set in the environment by a run that has already built the bundles. */
export const builtVariable = 'SELECTOR_LENS_BUILT';

/**
 * The path of a file in `dist/`, such as `cli.js`. The first call in a process builds everything there. Throws if that
 * fails.
 */
export function built(name: string): string {
  build();
  const path = join(root, 'dist', name);
  assert.ok(existsSync(path), `The build does not write dist/${name}.`);
  return path;
}

/** Builds the bundles, unless this run has built them. Throws if that fails. */
export function build(): void {
  if (process.env[builtVariable] !== undefined) return;
  const words = ['esbuild.mjs', '--production', '--types'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The build fails:\n${stdout}${stderr}`);
  process.env[builtVariable] = 'yes';
}
