/** A real VS Code without a desktop: the npm package code-server contains one, whose window is a web page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newFolder, removeFolder } from './folders.ts';

const version = '4.139.1';
export const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, '.vscode-test');

/** Settings of the window without prompts, animations and network access. */
export const windowSettings = {
  'chat.disableAIFeatures': true,
  'editor.accessibilitySupport': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // As on a desktop: in a browser a file is saved one second after a change by default.
  'files.autoSave': 'off',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export interface CodeServer extends AsyncDisposable {
  /** `127.0.0.1:8080`. */
  readonly authority: string;
  /** The output of the server so far, for the analysis of failures. */
  log(): string;
  /** Resolves when the server ends. */
  readonly ended: Promise<void>;
}

export interface CodeServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packaged extensions that are installed before the start. */
  readonly vsix?: readonly string[];
  /** Folders of extensions that are copied to the folder of installed extensions. */
  readonly deserialized?: readonly string[];
}

/** The folder of the VS Code server, fetched through npm when it is not in the cache. */
export async function installCodeServer(): Promise<string> {
  const home = join(cache, `code-server-${version}`);
  const server = join(home, 'lib', 'vscode');
  if (existsSync(join(server, 'node_modules'))) return server;
  console.log(`Fetching code-server ${version} into .vscode-test ...`);
  await mkdir(cache, { recursive: true });
  const deserialized = await mkdtemp(join(cache, 'fetching-'));
  await npm(['pack', `code-server@${version}`, '--silent'], deserialized);
  const archive = (await readdir(deserialized)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack left no archive.');
  await finished(spawn('tar', ['-xzf', archive], { cwd: deserialized, stdio: 'inherit' }), 'tar');
  // Without install scripts no compiler is needed; the server works without native modules.
  const packageFolder = join(deserialized, 'package');
  await npm(
    ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
    join(packageFolder, 'lib/vscode'),
  );
  await rm(home, { recursive: true, force: true });
  await rename(packageFolder, home);
  await rm(deserialized, { recursive: true });
  return server;
}

/** Starts a server on a free port. */
export async function startCodeServer(options: CodeServerOptions = {}): Promise<CodeServer> {
  const server = await installCodeServer();
  const data = await newFolder('server');
  await writeSettings(data, { ...windowSettings, ...options.settings });
  const extensions = join(data, 'extensions');
  const folders = ['--server-data-dir', data, '--extensions-dir', extensions];
  for (const folder of options.deserialized ?? [])
    await cp(folder, join(extensions, basename(folder)), { recursive: true });
  // In sequence: an extension is installed after its dependencies.
  for (const vsix of options.vsix ?? []) {
    const install = spawnServer(server, [...folders, '--install-extension', vsix], options);
    const described = gather(install);
    await finished(install, 'code-server --install-extension', described);
  }
  const child = spawnServer(server, [...folders, ...serverArguments], options);
  const log = gather(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await portOf(child, log);
  return {
    authority: `127.0.0.1:${port}`,
    log,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      await removeFolder(data);
    },
  };
}

const serverArguments = [
  ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
  // The smoke test driver makes the page use the payload in its address.
  ...['--enable-smoke-test-driver', '--telemetry-level', 'off', '--disable-telemetry', '--disable-workspace-trust'],
];

function spawnServer(server: string, parameters: readonly string[], { env }: CodeServerOptions): ChildProcess {
  // A terminal inside VS Code sets variables that would confuse another VS Code.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:VSCODE|ELECTRON)_/.test(name));
  const offline = { EXTENSIONS_GALLERY: '{}' };
  return spawn(process.execPath, ['out/server-main.js', '--accept-server-license-terms', ...parameters], {
    cwd: server,
    env: { ...Object.fromEntries(inherited), ...offline, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function writeSettings(data: string, settings: object): Promise<void> {
  const machine = join(data, 'data', 'Machine');
  await mkdir(machine, { recursive: true });
  await writeFile(join(machine, 'settings.json'), JSON.stringify(settings, undefined, 2));
}

function portOf(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`code-server ended (${code}) before it listened:\n${log()}`)));
    if (child.stdout === null) return reject(new Error('code-server has no standard output.'));
    createInterface(child.stdout).on('line', (line) => {
      const listening = /Extension host agent listening on (\d+)/.exec(line);
      if (listening !== null) resolve(Number(listening[1]));
    });
  });
}

function gather(child: ChildProcess): () => string {
  const pieces: string[] = [];
  child.stdout?.on('data', (piece) => pieces.push(String(piece)));
  child.stderr?.on('data', (piece) => pieces.push(String(piece)));
  return () => pieces.join('');
}

function npm(parameters: readonly string[], cwd: string): Promise<void> {
  const cli = process.env['npm_execpath'];
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  return finished(spawn(command, [...first, ...parameters], { cwd, stdio: ['ignore', 'ignore', 'inherit'] }), 'npm');
}

function finished(child: ChildProcess, name: string, log: () => string = () => ''): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} ended with ${code}.\n${log()}`));
    });
  });
}
