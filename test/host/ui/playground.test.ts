/** Tests of the playground in Chromium: the editor on the language server, its panels, the link, and use without a network. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { type StaticSite, serveFolder } from '../static-site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'dist/playground');

const pod = (name: string, label: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels:\n    app: ${label}\nspec:\n  containers: [{name: a, image: b}]\n`;

describe('the playground', () => {
  const complaints: string[] = [];
  let site: StaticSite;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const { status, stderr } = spawnSync(process.execPath, ['esbuild.mjs', '--production', '--playground'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    site = await serveFolder(folder);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });
  beforeEach(async () => {
    complaints.length = 0;
    site.asked.length = 0;
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
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

  const problem = (text: string) => page.locator('#problems li', { hasText: text });
  const tab = (path: string) => page.locator('#tabs [role=tab]', { hasText: path });
  const line = (text: string) => page.locator('.cm-line', { hasText: text });
  const picture = (name: string) =>
    page.screenshot({ path: join(root, `test/host/screenshots/playground-${name}.png`) });
  const open = async (fragment: string) => {
    await page.goto('about:blank');
    await page.goto(`${site.address}#${fragment}`);
    await page.locator('#tabs [role=tab]').first().waitFor();
  };
  const openManifests = (manifests: string, more: Readonly<Record<string, string>> = {}) =>
    open(new URLSearchParams({ manifests, ...more }).toString());
  /** Places the cursor at the end of the first line with a text. */
  const cursorIn = async (text: string) => {
    await line(text).first().click();
    await page.keyboard.press('End');
  };

  it('begins with a typo: squiggles, problems and the matches of a selector', async () => {
    await open('');
    await problem('label-value-type').waitFor();
    await problem('selects-nothing').waitFor();
    await page.locator('.cm-lintRange-warning', { hasText: 'webb' }).waitFor();
    await page.locator('#matches h3', { hasText: 'Matches (1)' }).waitFor();
    await page.locator('#matches li', { hasText: 'Deployment/web' }).waitFor();
    await page.getByRole('button', { name: "Change the selector to 'web'" }).waitFor();
    // The rest is stored for use without a network after the first answer.
    const first = site.asked.slice(0, site.asked.indexOf('/offline.js'));
    assert.ok(first.includes('/server.js') && !first.some((path) => path.includes('late')), first.join('\n'));
    await picture('typo');
  });

  it('shows matches in a hover, and colors of YAML', async () => {
    await open('example=typo');
    await problem('selects-nothing').waitFor();
    await line('app: web').nth(1).locator('span', { hasText: 'app' }).first().hover();
    await page.locator('.cm-lsp-hover-tooltip').waitFor();
    const color = (text: string) =>
      page
        .locator('.cm-line span', { hasText: text })
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    assert.notEqual(await color('apiVersion'), await color('Service'));
  });

  it('completes labels with the number of their objects', async () => {
    await openManifests(
      `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector:\n    app: \n---\n${pod('a', 'web')}---\n${pod('b', 'admin')}`,
    );
    await cursorIn('app:');
    await page.keyboard.press('Control+Space');
    const item = page.locator('.cm-tooltip-autocomplete li', { hasText: 'web' });
    await item.waitFor();
    assert.match((await item.textContent()) ?? '', /1/);
    await item.click();
    await line('app: web').first().waitFor();
  });

  it('fixes a problem from the list, by keyboard alone', async () => {
    await open('example=typo');
    const fix = page.getByRole('button', { name: "Change the selector to 'web'" });
    await fix.waitFor();
    await fix.focus();
    await page.keyboard.press('Enter');
    await problem('selects-nothing').waitFor({ state: 'detached' });
    assert.equal(await line('webb').count(), 0);
  });

  it('fixes a problem from its tooltip', async () => {
    await open('example=typo');
    await page.getByRole('button', { name: 'Quote the value' }).waitFor();
    await page.locator('.cm-lintRange-error', { hasText: '1.10' }).hover();
    await page.locator('.cm-diagnosticAction', { hasText: 'Quote the value' }).first().click();
    await line('version: "1.10"').waitFor();
  });

  it('renames a label in all files', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector:\n    app: web\n';
    await openManifests(`==> service.yaml <==\n${service}==> pod.yaml <==\n${pod('a', 'web')}`);
    await page.locator('#count', { hasText: '0' }).waitFor();
    await cursorIn('app: web');
    await page.keyboard.press('F2');
    await page.locator('.cm-panel input').fill('shop');
    await page.keyboard.press('Enter');
    await line('app: shop').waitFor();
    await tab('pod.yaml').click();
    await line('app: shop').waitFor();
  });

  it('has a tab for each file, which can be added, renamed and removed', async () => {
    await openManifests(pod('a', 'web'));
    await page.getByRole('button', { name: 'Add a file' }).click();
    await page.locator('#path').fill('more/service.yaml');
    await page.keyboard.press('Enter');
    await tab('more/service.yaml').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.insertText(
      'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: "x y"}}\n',
    );
    await problem('label-value-syntax').waitFor();
    await tab('more/service.yaml').focus();
    await page.keyboard.press('ArrowLeft');
    await line('name: a').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.locator('#path').fill('service.yaml');
    await page.keyboard.press('Enter');
    await page.locator('#tabs [aria-selected=true]', { hasText: /^service\.yaml$/ }).waitFor();
    await page.locator('#tabs [aria-selected=true]').focus();
    await page.keyboard.press('Delete');
    await problem('label-value-syntax').waitFor({ state: 'detached' });
    assert.equal(await page.locator('#tabs [role=tab]').count(), 1);
  });

  it('sees files through an overlay, or with a values file', async () => {
    await open('example=overlay');
    await problem('In prod').waitFor();
    const seen = page.locator('#overlay');
    await seen.locator('option', { hasText: 'dev' }).waitFor({ state: 'attached' });
    await cursorIn('selector:');
    await page.locator('#matches h2', { hasText: /in (prod|dev)/ }).waitFor();
    await seen.selectOption({ label: 'dev' });
    await page.locator('#matches h2', { hasText: 'in dev' }).waitFor();
    await page.locator('#matches h3', { hasText: 'Matches (1)' }).waitFor();
    await seen.selectOption({ label: 'prod' });
    await page.locator('#matches h2', { hasText: 'in prod' }).waitFor();
    await open('example=chart');
    await seen.locator('option', { hasText: 'values-prod.yaml' }).waitFor({ state: 'attached' });
    await seen.selectOption({ label: 'values-prod.yaml' });
    await problem('selects-nothing').waitFor();
  });

  it('draws the Selector Map, which opens files', async () => {
    await open('example=policies');
    const map = page.frameLocator('iframe');
    await map.locator('.connects').first().waitFor();
    await map.locator('.node', { hasText: 'front' }).dblclick();
    await picture('map');
  });

  it('reviews a change, with links to its lines', async () => {
    await open('example=review');
    await page.locator('#review', { hasText: '1 refused update' }).waitFor();
    await picture('review');
    await tab('service.yaml').click();
    await page.locator('#review a', { hasText: 'deployment.yaml:9' }).first().click();
    await page.locator('#tabs [aria-selected=true]', { hasText: 'deployment.yaml' }).waitFor();
    await page.getByRole('button', { name: 'Restore the selector from main' }).click();
    await page.locator('#review', { hasText: '1 refused update' }).waitFor({ state: 'detached' });
  });

  it('keeps its state in the link, which reaches no server', async () => {
    await openManifests(`==> a.yaml <==\n${pod('a', 'web')}==> b.yaml <==\n${pod('b', 'web')}`);
    await tab('b.yaml').click();
    await page.locator('#selector').fill('app=web');
    await page.locator('#matches h3', { hasText: 'Matches (2)' }).waitFor();
    await page.waitForURL(/#state=/);
    await page.locator('#selector').fill('app in (web),!x');
    await page.locator('#matches h3', { hasText: 'Matches (2)' }).waitFor();
    await page.locator('#matches code', { hasText: '!x' }).waitFor();
    const link = await page.evaluate(async () => {
      const before = location.href;
      for (let turn = 0; turn < 200 && location.href === before; turn++) await new Promise(requestAnimationFrame);
      return location.href;
    });
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('#tabs [aria-selected=true]', { hasText: 'b.yaml' }).waitFor();
    await page.locator('#matches h3', { hasText: 'Matches (2)' }).waitFor();
    assert.match(await page.locator('#selector').inputValue(), /app/);
    assert.ok(site.asked.every((path) => !path.includes('state')));
  });

  it('works without a network once it was loaded', async () => {
    await open('example=typo');
    await problem('selects-nothing').waitFor();
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      for (let turn = 0; turn < 1000 && active?.state !== 'activated'; turn++) await new Promise(requestAnimationFrame);
    });
    await page.context().setOffline(true);
    await open('example=review');
    await page.locator('#review', { hasText: '1 refused update' }).waitFor();
    await open('example=policies');
    await page.frameLocator('iframe').locator('.node').first().waitFor();
  });

  it('shows hostile manifests as text', async () => {
    const attack = '<img src=x onerror=alert(1) [a](javascript:alert(1)) ';
    await openManifests(pod(JSON.stringify(attack), JSON.stringify(attack)), { selector: 'app in (' });
    await problem('label-value-syntax').waitFor();
    await page.locator('#selector[aria-invalid=true]').waitFor();
    await line('app:').locator('span', { hasText: 'app' }).first().hover();
    await page.locator('.cm-tooltip').first().waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('a[href^=javascript]').count(), 0);
  });

  it('has no horizontal scroll bar on a narrow screen, and readable colors in the dark', async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await open('example=overlay');
    await problem('selects-nothing').waitFor();
    await picture('narrow-dark');
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok((wide ?? 0) <= (screen ?? 0), `${wide} ${screen}`);
    const colors = await page.locator('.cm-editor').evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color].map((each) => Number(/\d+/.exec(each)?.[0]));
    });
    assert.ok((colors[0] ?? 255) < 100 && (colors[1] ?? 0) > 180, `${colors}`);
  });

  it('allows only its own files', () => {
    for (const name of ['index.html', 'map.html']) {
      const text = readFileSync(join(folder, name), 'utf8');
      const [policy = ''] = /default-src[^"]*/.exec(text) ?? [];
      assert.match(policy, /^default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|http|data:|\*/);
    }
  });

  it('loads at most 150 KB for the page, and at most 700 KB for the first answer, compressed', () => {
    const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    const sizeOf = (name: string) =>
      brotliCompressSync(readFileSync(join(folder, name)), { params: parameters }).length;
    const first = readdirSync(folder).filter((name) => !/^(?:NOTICES|map|late|offline)/.test(name));
    const sizes = first.map((name) => ({ name, size: sizeOf(name) }));
    const sumOf = (some: typeof sizes) => some.reduce((sum, { size }) => sum + size, 0);
    // Most of it is the language server, which is the one of the editor.
    const ofPage = sizes.filter(({ name }) => !/^(?:server|chunk)/.test(name));
    const described = sizes.map(({ name, size }) => `${name} ${size}`).join(', ');
    assert.ok(sumOf(ofPage) <= 150 * 1024 && sumOf(sizes) <= 700 * 1024, described);
  });
});
