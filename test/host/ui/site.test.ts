/** Tests of the documentation site in Chromium: search, links to the playground, narrow screens, use by keyboard, and colors. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { type StaticSite, serveFolder } from '../static-site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const base = '/selector-lens/';

describe('the documentation site', () => {
  const complaints: string[] = [];
  let site: StaticSite;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['docs/.vitepress/build.ts'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /No dead links\./);
    site = await serveFolder(join(root, 'docs/.vitepress/dist'), base);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });
  beforeEach(async () => {
    complaints.length = 0;
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterEach(async () => {
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  const open = (path: string) => page.goto(`${site.address}${path}`);
  const picture = (name: string) => page.screenshot({ path: join(root, `test/host/screenshots/site-${name}.png`) });
  /** Follows a link of the page by its text. */
  const follow = async (text: string | RegExp) => {
    await page.locator('a:visible', { hasText: text }).first().click();
  };
  const heading = (text: string | RegExp) => page.locator('main h1', { hasText: text }).first().waitFor();

  it('finds a rule by its message, by keyboard alone', async () => {
    await open('rules/index.html');
    await heading('Rules');
    await page.locator('#local-search button').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.VPLocalSearchBox input').waitFor();
    await page.keyboard.type('matches no object in its scope closest');
    const result = page.locator('.VPLocalSearchBox .result', { hasText: 'selects-nothing' });
    await result.first().waitFor();
    await picture('search');
    const selected = page.locator('.VPLocalSearchBox .result.selected', { hasText: 'selects-nothing' });
    for (let presses = 0; presses < 8 && (await selected.count()) === 0; presses++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/selects-nothing/);
  });

  it('leads a new reader to what they look for in three clicks', async () => {
    await open('');
    await follow('In your pull request, in five minutes');
    await heading('In your pull request');
    await open('');
    await follow('In your pull request, in five minutes');
    await follow('Why a finding appears');
    await heading('how to disable it');
    await open('');
    await follow('In your pull request, in five minutes');
    await follow(/^Helm$/);
    await page.locator('main', { hasText: 'Not evaluated' }).waitFor();
  });

  it('opens an example in the playground', async () => {
    await open('rules/selects-nothing.html');
    await page.locator('.try a').first().click();
    await page.waitForURL(/playground\//);
    await page.locator('#problems li', { hasText: 'selects-nothing' }).waitFor();
  });

  it('contains the playground', async () => {
    await open('playground.html');
    const frame = page.frameLocator('.playground-frame');
    await frame.locator('#problems li', { hasText: 'selects-nothing' }).waitFor();
    await picture('playground');
  });

  for (const [name, width, colorScheme] of [
    ['wide-light', 1400, 'light'],
    ['wide-dark', 1400, 'dark'],
    ['narrow-light', 380, 'light'],
    ['narrow-dark', 380, 'dark'],
  ] as const)
    it(`fits the screen, and is readable: ${name}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of [
        '',
        'start/pull-request.html',
        'rules/index.html',
        'commands/check.html',
        'review.html',
        'protocol.html',
      ]) {
        await open(path);
        await page.locator('#app .Layout').waitFor();
        const [wide = 0, screen = 0] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          window.innerWidth,
        ]);
        assert.ok(wide <= screen, `${path}: ${wide} ${screen}`);
        await picture(`${name}-${path === '' ? 'home' : path.replaceAll(/\W+/g, '-')}`);
      }
      const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
      assert.equal(isDark, colorScheme === 'dark');
    });
});
