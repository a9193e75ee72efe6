/** A registry of npm on this machine, in which the packed package is published: verdaccio, which is installed for the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Registry {
  /** The variables with which npm uses this registry alone, without the configuration and the cache of the user. */
  readonly env: NodeJS.ProcessEnv;
  stop(): void;
}

/** Runs npm, and returns its output; throws with its output if it fails. */
export function npm(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, env, encoding: 'utf8', shell: onWindows });
  if (status !== 0) throw new Error(`npm ${words.join(' ')} ended with ${status}.\n${stdout}${stderr}`);
  return stdout;
}

const onWindows = process.platform === 'win32';

/** Starts a registry below a folder, and publishes the package as `npm publish` does after `npm pack`. */
export async function startRegistry(folder: string): Promise<Registry> {
  const program = join(folder, 'verdaccio');
  cpSync(join(root, 'test/install/registry'), program, { recursive: true });
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], program);
  const port = await freePort();
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
  writeFileSync(join(program, 'config.json'), JSON.stringify(config));
  const words = ['node_modules/verdaccio/bin/verdaccio', '--config', 'config.json', '--listen', `127.0.0.1:${port}`];
  const server = spawn(process.execPath, words, { cwd: program, stdio: ['ignore', 'pipe', 'pipe'] });
  await isListening(server);
  const env = environment(folder, `http://127.0.0.1:${port}/`);
  publish(folder, env);
  return { env, stop: () => void server.kill() };
}

function publish(folder: string, env: NodeJS.ProcessEnv): void {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  npm(['pack', '--pack-destination', packed], root);
  const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '';
  npm(['publish', '--access', 'public', join(packed, tarball)], folder, env);
}

/** Resolves when the registry writes the address on which it listens. */
function isListening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (/http address/.test(text)) resolve();
    };
    server.stdout?.on('data', hear);
    server.stderr?.on('data', hear);
    server.once('exit', (code) => reject(new Error(`The registry ended with ${code}.\n${text}`)));
  });
}

function environment(folder: string, address: string): NodeJS.ProcessEnv {
  const file = join(folder, 'npmrc');
  const host = address.replace('http:', '');
  writeFileSync(
    file,
    `registry=${address}\n${host}:_authToken=anyone\nupdate-notifier=false\nfund=false\naudit=false\n`,
  );
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_userconfig: file,
    npm_config_globalconfig: join(folder, 'none'),
    npm_config_cache: join(folder, 'cache'),
    XDG_CACHE_HOME: join(folder, 'user-cache'),
  };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    }),
  );
}
