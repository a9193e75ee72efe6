/** The journeys of a user through the editor, equal in every kind of VS Code: tests for a `describe`. */
import type { Open } from '../stage.ts';
import type { Workbench } from '../workbench.ts';

export interface JourneyOptions {
  /** The prefix of the names of the screenshots. */
  readonly name: string;
  /** Whether VS Code has its extension for Markdown, which renders pages. */
  readonly previewsMarkdown: boolean;
}

/** Defines the tests of the journeys. A new window takes longer than most journeys, so that related ones share it. */
export function defineJourneys(open: Open, options: JourneyOptions): void {
  defineJourneysInFile(open, options.name);
  defineJourneysAcrossFiles(open, options.name);
  definePages(open, options);
}

/** Defines the tests of what other extensions do, too: problems, hovers, fixes, and completions. */
export function defineJourneysInFile(open: Open, name: string): void {
  it('underlines a bad label value, shows near misses on hover, and fixes the value through the light bulb', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.hover(/^\s*tier:\s*back$/, 'back', /Deployment\/orders.*tier/s);
    await window.screenshot(`${name}-6-hover`);
    await window.hover(/^\s*team:/, 'bad', /label-value-syntax/);
    await window.screenshot(`${name}-1-diagnostic`);
    await window.cursorBehind('team: bad');
    const bulb = '.codicon-light-bulb, .codicon-lightbulb-autofix, [class*="codicon-gutter-lightbulb"]';
    const fix = window.page.locator('.action-widget').getByText('bad-value').first();
    await window.insist(async (limit) => {
      await window.page.locator(bulb).filter({ visible: true }).first().click(limit);
      await fix.waitFor(limit);
    });
    await window.screenshot(`${name}-2-quick-fix`);
    await fix.click();
    await window.line('team: bad-value').waitFor();
    await window.squiggle().waitFor({ state: 'detached' });
    await window.screenshot(`${name}-3-fixed`);
  });

  it('completes a recommended label', async () => {
    const window = await open('new.yaml');
    await window.cursorBehind('app.kubernetes.io/');
    const choice = await window.suggestion('app.kubernetes.io/name');
    await window.screenshot(`${name}-4-completion`);
    await choice.click();
    await window.line('app.kubernetes.io/name: ').waitFor();
    await window.screenshot(`${name}-5-completed`);
  });
}

/** Defines the tests of the journeys that depend on files that are not open, and thus on how they are found. */
export function defineJourneysAcrossFiles(open: Open, name: string): void {
  it('finds the manifests of a folder without open files', async () => {
    const window = await open('README.md', 'kubectl get pods -l');
    await window.hover(/'app=basket'/, 'basket', /Selects Pods.*Deployment\/basket/s);
    await window.screenshot(`${name}-18-command`);
  });

  it('shows above an object what selects it, lists the matches at the cursor, opens one, and renames it', async () => {
    const window = await open('basket.yaml');
    await window.lens(/selected by Service\/basket/).waitFor();
    await window.lens(/selects Deployment\/basket/).waitFor();
    await window.screenshot(`${name}-13-lenses`);
    await window.cursorBehind('selector:\n    app: bas');
    await window.showMatches(/^Selector of Service\/basket, /);
    const match = window.row(/^Deployment\/basket, /);
    await match.waitFor();
    await window.screenshot(`${name}-7-matches`);
    await match.click();
    await window.page.getByRole('button', { name: /^Ln 22, / }).waitFor();
    await match.waitFor();
    await window.screenshot(`${name}-8-match-opened`);
    await rename(window, name);
  });

  it('follows the cursor, and explains what to do outside of selectors', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.command('Selector Lens: Show Selector Matches');
    await window.page.getByText('Place the cursor in a selector').waitFor();
    await window.screenshot(`${name}-10-no-selector`);
    await window.cursorBehind('app: orders\n    tier');
    await window.row(/^Selector of Service\/orders, spec\.selector: /).waitFor();
    await window.row(/^Deployment\/orders, .*tier is 'backend'/).waitFor();
    await window.screenshot(`${name}-11-near-miss`);
  });
}

async function rename(window: Workbench, name: string): Promise<void> {
  await window.cursorBehind('matchLabels:\n      app: bas');
  const input = window.page.locator('.rename-box input');
  await window.insist(async (limit) => {
    await window.page.keyboard.press('F2');
    await input.fill('cart', limit);
  });
  await input.press('Enter');
  const rows = window.page.locator('.bulk-edit-panel .monaco-list-row');
  await rows.filter({ hasText: 'basket.yaml' }).first().waitFor();
  await window.screenshot(`${name}-14-rename`);
  // The commands in the README are uncertain, and are not selected.
  await window.page.getByRole('button', { name: 'Apply', exact: true }).click();
  await window.line('app: cart').first().waitFor();
}

function definePages(open: Open, { name, previewsMarkdown }: JourneyOptions): void {
  it('explains the object at the cursor and a rule, each on a page', async () => {
    const window = await open('orders.yaml');
    const heading = previewsMarkdown
      ? (title: string) =>
          window.page
            .frameLocator('iframe.webview.ready')
            .last()
            .frameLocator('iframe#active-frame')
            .getByRole('heading', { name: title })
      : (title: string) => window.line(`# ${title}`).first();
    await window.cursorBehind('kind: Service');
    await window.command('Selector Lens: Explain Object at Cursor');
    await heading('Service/orders').waitFor();
    await window.screenshot(`${name}-15-explain`);
    await window.page.keyboard.press('Control+1');
    await window.cursorBehind('team: bad');
    const page = window.page.locator('.action-widget').getByText('Show documentation for label-value-syntax').first();
    await window.insist(async (limit) => {
      await window.page.keyboard.press('Control+.');
      await page.click(limit);
    });
    await heading('label-value-syntax').waitFor();
    await window.screenshot(`${name}-16-rule`);
  });

  it('shows the parent fields while scrolling, and in the status what was indexed after a restart', async () => {
    const window = await open('orders.yaml');
    await window.page.setViewportSize({ width: 1280, height: 320 });
    await window.cursorBehind('image: registry');
    await window.page.locator('.sticky-line-content').filter({ hasText: 'template:' }).waitFor();
    await window.screenshot(`${name}-12-sticky-scroll`);
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.cursorBehind('team: bad');
    await window.command('Selector Lens: Restart Server');
    const status = window.page.getByRole('button', { name: /Selector Lens: \d+ objects/ });
    await status.waitFor();
    await window.squiggle().waitFor();
    await status.hover();
    await window.page
      .locator('.monaco-hover:visible')
      .filter({ hasText: /in \d+ files/ })
      .first()
      .waitFor();
    await window.screenshot(`${name}-17-status`);
  });
}
