/**
 * Makes a single executable of the command for this system: `node executable.mjs FILE`. It contains the Node.js that runs
 * this script (https://nodejs.org/api/single-executable-applications.html). `postject` is fetched from npm.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = process.argv[2];
if (target === undefined) fail('Name the file to write.');
const file = resolve(target);
process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const isMac = process.platform === 'darwin';
const [script, config, blob] = ['dist/selector-lens.cjs', 'dist/executable.json', 'dist/executable.blob'];

run(process.execPath, ['esbuild.mjs', '--production', '--executable']);
writeFileSync(
  config,
  JSON.stringify({ main: script, output: blob, assets: { main: script }, disableExperimentalSEAWarning: true }),
);
run(process.execPath, ['--experimental-sea-config', config]);
mkdirSync(dirname(file), { recursive: true });
copyFileSync(process.execPath, file);
chmodSync(file, 0o755);
if (isMac) run('codesign', ['--remove-signature', file]);
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const place = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
run('npx', ['--yes', 'postject@1.0.0-alpha.6', file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...place]);
if (isMac) run('codesign', ['--sign', '-', file]);
run(file, ['--version']);

function run(program, words) {
  // On Windows npx is a script, which only a shell runs.
  const { status } = spawnSync(program, words, { stdio: 'inherit', shell: program === 'npx' });
  if (status !== 0) fail(`${program} failed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
