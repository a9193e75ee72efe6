/** The view of matches as a person works with it: pinned, filtered, with labels beside the rows, and for a selector on trial. */
import assert from 'node:assert/strict';
import { root } from '../code-server.ts';
import { Stage, type Workbench } from '../workbench.ts';

describe('the view "Selector Matches"', () => {
  let stage: Stage;
  let workbench: Workbench | undefined;

  before(async () => {
    stage = await Stage.set();
  });
  after(() => stage[Symbol.asyncDispose]());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await workbench?.screenshot(`failed-${this.currentTest.title.replaceAll(/\W+/g, '-')}`);
    await workbench?.close();
    workbench = undefined;
  });

  const open = async (file: string): Promise<Workbench> => {
    workbench = await stage.open(file, root);
    return workbench;
  };
  const row = (window: Workbench, name: RegExp) => window.page.getByRole('treeitem', { name }).first();

  it('shows what selects the object at the cursor, and keeps showing what is pinned', async () => {
    const window = await open('basket.yaml');
    await window.cursorBehind('kind: Deployment');
    await window.command('Selector Lens: Show Selector Matches');
    await row(window, /^Service\/basket, Selected by, app=basket/).waitFor();
    // The view takes the keyboard last of all.
    await window.page.locator('.monaco-list-row.focused').filter({ hasText: 'Deployment/basket' }).waitFor();
    await window.screenshot('20-selected-by');
    await window.command('Selector Lens: Pin Selector Matches');
    await window.cursorBehind('podSelector');
    await row(window, /^Service\/basket, Selected by/).waitFor();
    await window.command('Selector Lens: Unpin Selector Matches');
    await row(window, /^Selector of NetworkPolicy\/basket, spec\.podSelector: /).waitFor();
  });

  it('shows what is tried, as it is typed', async () => {
    const window = await open('orders.yaml');
    await window.command('Selector Lens: Try a Selector');
    await window.line('One selector a line').first().waitFor();
    await window.page.keyboard.type('app in (basket, orders)');
    await row(window, /^Deployment\/orders, Matches, /).waitFor();
    await row(window, /^Deployment\/basket, Matches, /).waitFor();
    await window.command('Selector Lens: Choose Label Columns…');
    const choices = window.page.locator('.quick-input-widget');
    await choices.getByText('tier').first().click();
    await choices.getByRole('button', { name: 'OK' }).click();
    await row(window, /^Deployment\/orders, Matches, tier=backend, /).waitFor();
    await row(window, /^Deployment\/basket, Matches, tier=<none>, /).waitFor();
    await window.screenshot('21-try-a-selector');
    await window.line('app in').first().click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type(',tier');
    await row(window, /^Deployment\/basket, Matches, /).waitFor({ state: 'detached' });
    assert.ok(await row(window, /^Deployment\/orders, Matches, /).isVisible());
  });

  it('is not all: a page explains the object at the cursor', async () => {
    const window = await open('orders.yaml');
    await window.cursorBehind('kind: Service');
    await window.command('Selector Lens: Explain Object at Cursor');
    const page = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: 'Service/orders' }).waitFor();
    await page.getByText("tier is 'backend'").waitFor();
    await window.screenshot('22-explain');
  });
});
