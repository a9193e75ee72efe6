/**
 * The VS Code that runs a suite: a desktop one that is installed or can be downloaded, otherwise the browser-hosted
 * one.
 */
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { launchBrowser, openWindow, windowAddress } from './browser.ts';
import { type CodeServerOptions, root, startCodeServer } from './code-server.ts';

export interface SuiteRun extends CodeServerOptions {
  readonly folder: string;
  readonly tests: string;
  /** The port for the messages of the suite. */
  readonly port: number;
  readonly ended: Promise<void>;
}

export interface Host extends AsyncDisposable {
  readonly name: string;
  run(suite: SuiteRun): Promise<void>;
  log(): string;
}

/** Returns the first available host. */
export async function chooseHost(): Promise<Host> {
  const executable = process.env['VSCODE_EXECUTABLE'] ?? (await downloadDesktop());
  return executable === undefined ? browserHost() : desktopHost(executable);
}

/** The desktop VS Code of @vscode/test-electron, if the machine has a display and the internet. */
async function downloadDesktop(): Promise<string | undefined> {
  const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  if (!hasDisplay || process.env['SELECTOR_LENS_HOST'] === 'browser') return undefined;
  try {
    return await downloadAndUnzipVSCode({ cachePath: join(root, '.vscode-test'), timeout: 15_000 });
  } catch (error) {
    console.log(`No desktop VS Code: ${error}`);
    return undefined;
  }
}

function desktopHost(executable: string): Host {
  return {
    name: `desktop VS Code (${executable})`,
    log: () => '',
    async run({ folder, tests, port }) {
      await runTests({
        vscodeExecutablePath: executable,
        extensionDevelopmentPath: root,
        extensionTestsPath: tests,
        extensionTestsEnv: environment(port),
        launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust', ...asRoot],
      });
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The page of code-server, in which other extensions can be installed. */
export async function browserHost(): Promise<Host> {
  const browser = await launchBrowser();
  let log = () => '';
  return {
    name: `browser-hosted VS Code (Chromium ${browser.version()})`,
    log: () => log(),
    async run({ folder, tests, port, ended, env, ...options }) {
      await using server = await startCodeServer({ ...options, env: { ...environment(port), ...env } });
      log = server.log;
      const address = windowAddress(server.authority, { folder, extension: root, tests });
      const page = await openWindow(browser, address);
      await ended;
      await page.context().close();
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Electron refuses its sandbox for root, the user in containers. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

function environment(port: number): Record<string, string> {
  return { SELECTOR_LENS_TEST_PORT: String(port) };
}
