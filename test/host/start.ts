/** Starts VS Code with the examples and the extension: `npm start`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { windowAddress } from './browser.ts';
import { root, startCodeServer } from './code-server.ts';

const folder = join(root, 'examples');
/** Opened first, because it shows most features. */
const file = join(folder, 'mistakes', 'labels.yaml');

const built = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const desktop = process.env['SELECTOR_LENS_HOST'] === 'browser' ? undefined : findDesktop();
await (desktop === undefined ? startInBrowser() : startOnDesktop(desktop));

/** On Windows `code` is a script, which only a shell can start. */
function findDesktop(): string | undefined {
  const shell = process.platform === 'win32';
  const asked = spawnSync('code', ['--version'], { stdio: 'ignore', shell });
  return asked.status === 0 ? 'code' : undefined;
}

async function startOnDesktop(command: string): Promise<void> {
  console.log('Opening the examples in the desktop VS Code. Close its window to end.');
  const parameters = ['--new-window', '--wait', `--extensionDevelopmentPath=${root}`, folder, file];
  const child = spawn(command, parameters, { stdio: 'inherit', shell: process.platform === 'win32' });
  await once(child, 'exit');
}

async function startInBrowser(): Promise<void> {
  await using server = await startCodeServer();
  const address = windowAddress(server.authority, { folder, extension: root, file });
  console.log('\nThere is no desktop VS Code here. Open the examples in a browser:\n');
  console.log(`  ${address}\n`);
  console.log('Ctrl-C ends it.');
  const interrupted = once(process, 'SIGINT');
  const terminated = once(process, 'SIGTERM');
  await Promise.race([interrupted, terminated, server.ended]);
}
