/** Tests of the playground in Chromium: content, use by keyboard, dark colors, and no requests to other servers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'dist/playground');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

/** Starts a static server of the built files; adds the path of each request to `asked`. */
function serve(asked: string[]): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url);
    const file = join(folder, basename(url) || 'index.html');
    const type = types[extname(file)];
    if (type === undefined || !existsSync(file)) response.writeHead(404).end();
    else createReadStream(file).pipe(response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const pod = (name: string, label: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels:\n    app: ${label}\nspec:\n  containers: [{name: a, image: b}]\n`;

describe('the playground', () => {
  const asked: string[] = [];
  const complaints: string[] = [];
  let server: Server;
  let browser: Browser;
  let page: Page;
  let address = '';

  before(async () => {
    const { status, stderr } = spawnSync(process.execPath, ['esbuild.mjs', '--production', '--playground'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    server = await serve(asked);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(async () => {
    asked.length = complaints.length = 0;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterEach(async () => {
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  const done = () => page.locator('body[data-state=done]').waitFor();
  const open = async (state: Readonly<Record<string, string>> = {}) => {
    await page.goto(`${address}#${new URLSearchParams(state)}`);
    await done();
  };
  const texts = (selector: string) => page.locator(selector).allInnerTexts();

  it('begins with an example: matches, near misses and findings', async () => {
    await open();
    const titles = (await texts('#results h2')).join('\n');
    assert.match(titles, /^Matches \(1\)/);
    assert.match(titles, /Findings \(\d+\)$/);
    const rows = (await texts('#results li')).join('\n');
    assert.match(rows, /Deployment\/web/);
    assert.match(rows, /Deployment\/admin/);
    assert.match(rows, /label-value-type/);
    assert.match(rows, /selects-nothing/);
    await page.screenshot({ path: join(root, 'test/host/screenshots/playground.png') });
  });

  it('evaluates typed text, by keyboard alone', async () => {
    await open({ manifests: `${pod('a', 'web')}---\n${pod('b', 'wep')}`, selector: '' });
    await page.locator('#selector').focus();
    await page.keyboard.type('app=web');
    await page.locator('#results h2', { hasText: 'Matches (1)' }).waitFor();
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (focused.includes('Pod/a')) break;
    }
    await page.keyboard.press('Enter');
    const selected = await page.locator('#manifests').evaluate((area: HTMLTextAreaElement) => {
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assert.equal(selected, 'labels');
  });

  it('keeps its state in the fragment, which reaches no server', async () => {
    await open({ manifests: pod('a', 'web'), selector: 'app in (web)' });
    const link = page.url();
    assert.match(link, /#selector=app\+in/);
    await page.goto('about:blank');
    await page.goto(link);
    await done();
    assert.equal(await page.locator('#selector').inputValue(), 'app in (web)');
    assert.match((await texts('#results h2')).join(), /Matches \(1\)/);
    assert.deepEqual([...new Set(asked)].toSorted(), ['/', '/icon.png', '/page.js', '/style.css', '/worker.js']);
  });

  it('evaluates several files, such as a kustomization and its base', async () => {
    const kustomization = 'resources: [pod.yaml]\nlabels: [{pairs: {team: blue}}]\n';
    await open({
      manifests: `==> kustomization.yaml <==\n${kustomization}==> pod.yaml <==\n${pod('a', 'web')}`,
      selector: 'team=blue',
    });
    assert.match((await texts('#results h2')).join(), /Matches \(1\)/);
  });

  it('reports an invalid selector, and shows hostile manifests as text', async () => {
    const attack = '<img src=x onerror=alert(1) ';
    await open({ manifests: pod(JSON.stringify(attack), JSON.stringify(attack)), selector: 'app in (' });
    assert.notEqual(await page.locator('#problem').textContent(), '');
    assert.equal(await page.locator('#selector').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('img').count(), 0);
    assert.match((await texts('#results li')).join('\n'), /label-value-syntax/);
  });

  it('answers for input that is too long', async () => {
    await open();
    await page.locator('#manifests').evaluate((area: HTMLTextAreaElement) => {
      area.value = 'a'.repeat(1_000_001);
      area.dispatchEvent(new Event('input'));
    });
    await page.locator('#problem', { hasText: 'longer than 1,000,000' }).waitFor();
  });

  it('has readable colors in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open();
    const [background, color] = await page.locator('#manifests').evaluate((area) => {
      const { backgroundColor, color } = getComputedStyle(area);
      return [backgroundColor, color].map((each) => Number(/\d+/.exec(each)?.[0]));
    });
    assert.ok((background ?? 255) < 100 && (color ?? 0) > 180, `${background} ${color}`);
    await page.screenshot({ path: join(root, 'test/host/screenshots/playground-dark.png') });
  });
});
