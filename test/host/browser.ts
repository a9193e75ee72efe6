/** Windows of a browser-hosted VS Code, in a headless Chromium. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { forWindow } from './patience.ts';

const candidates = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** Starts a headless Chromium. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium() ?? installChromium(), args: flags });
}

function findChromium(): string | undefined {
  return candidates.find((path) => path !== undefined && existsSync(path));
}

/** Installs Chromium from a package, as root on Debian. */
function installChromium(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium ...');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' });
    const wanted = ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
    spawnSync('apt-get', wanted, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const found = findChromium();
  if (found === undefined) throw new Error('No Chromium found. Install it, or name its path in CHROMIUM.');
  return found;
}

export interface WindowOptions {
  readonly folder: string;
  /** The folder of an extension that is run from its sources. */
  readonly extension?: string;
  /** A module whose `run` is called inside the extension host. */
  readonly tests?: string;
  readonly file?: string;
}

/** The address of a window. Its payload, a list of pairs, contains the tests to run and the file to open. */
export function windowAddress(authority: string, { folder, extension, tests, file }: WindowOptions): string {
  const remote = (path: string) => `vscode-remote://${authority}${encodeURI(path)}`;
  const payload: [string, string][] = [];
  if (extension !== undefined) payload.push(['extensionDevelopmentPath', remote(extension)]);
  if (tests !== undefined) payload.push(['extensionTestsPath', remote(tests)]);
  if (file !== undefined) payload.push(['openFile', remote(file)]);
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  return `http://${authority}/?${query}`;
}

/** Opens the address of a window, and waits for its workbench. */
export async function openWindow(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(forWindow);
  // VS Code delays idle work for minutes on a busy machine; without this API, as in Safari, the work is scheduled in
  // turn.
  await context.addInitScript(() => Object.defineProperty(globalThis, 'requestIdleCallback', { value: undefined }));
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('.monaco-workbench').waitFor();
  return page;
}
