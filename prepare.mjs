/**
 * Builds the command when npm installs it from git, and keeps an earlier build. For a global installation from git, and so
 * for pre-commit, npm runs this without the packages that the build needs: then it installs them first. Such an
 * installation needs `--install-links`, or npm links to its temporary clone and removes that.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(new URL('dist/cli.js', import.meta.url))) {
  if (!existsSync(new URL('node_modules/esbuild', import.meta.url)))
    run(
      process.env.npm_execpath ?? fail('Run this by npm.'),
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    );
  run('esbuild.mjs', '--production', '--types');
}

/** Runs a script of Node.js in this folder, whatever place npm was asked to install to. */
function run(...words) {
  const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'user', npm_config_omit: '' };
  const { status } = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) fail(`${words[0]} failed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
