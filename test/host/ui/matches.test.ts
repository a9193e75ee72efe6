/** Tests the view of matches: pinned, filtered, with labels in the rows, and for a selector in a scratch document. */
import { useStage } from '../stage.ts';

describe('the view "Selector Matches"', () => {
  const open = useStage();

  it('shows what selects the object at the cursor, and keeps showing what is pinned', async () => {
    const window = await open('basket.yaml');
    await window.cursorBehind('kind: Deployment');
    await window.showMatches(/Deployment\/basket/);
    await window.row(/^Service\/basket, Selected by, app=basket/).waitFor();
    await window.screenshot('20-selected-by');
    await window.command('Selector Lens: Pin Selector Matches');
    await window.page.getByRole('button', { name: 'Unpin Selector Matches' }).waitFor();
    await window.cursorBehind('podSelector');
    await window.row(/^Service\/basket, Selected by/).waitFor();
    await window.command('Selector Lens: Unpin Selector Matches');
    await window.row(/^Selector of NetworkPolicy\/basket, spec\.podSelector: /).waitFor();
  });

  it('shows the matches of a selector while it is typed', async () => {
    const window = await open('orders.yaml');
    await window.trySelector('app in (basket, orders)');
    await window.row(/^Deployment\/orders, Matches, /).waitFor();
    await window.row(/^Deployment\/basket, Matches, /).waitFor();
    await window.command('Selector Lens: Select Label Columns…');
    const choices = window.page.locator('.quick-input-widget');
    await choices.getByText('tier').first().click();
    await choices.getByRole('button', { name: 'OK' }).click();
    await window.row(/^Deployment\/orders, Matches, tier=backend, /).waitFor();
    await window.row(/^Deployment\/basket, Matches, tier=<none>, /).waitFor();
    await window.screenshot('21-try-a-selector');
    await window.typeAfter('app in (basket, orders)', ',tier');
    await window.row(/^Deployment\/basket, Matches, /).waitFor({ state: 'detached' });
    await window.row(/^Deployment\/orders, Matches, /).waitFor();
  });

  it('follows the cursor again after a scratch document, and remembers what was tried in it', async () => {
    const window = await open('orders.yaml');
    await window.trySelector('app in (basket, orders)');
    await window.row(/^Deployment\/orders, Matches, /).waitFor();
    await window.page.keyboard.press('Enter');
    await window.command('View: Revert and Close Editor');
    await window.line('One selector a line').waitFor({ state: 'detached' });
    // The view follows the cursor again.
    await window.cursorBehind('kind: Service');
    await window.row(/^Deployment\/basket, Matches, /).waitFor({ state: 'detached' });
    await window.command('Selector Lens: Try a Selector');
    await window.line(/^app\sin\s\(basket,\sorders\)$/).waitFor();
  });

  it('follows the cursor again after all editors are closed, with a scratch document that is not saved', async () => {
    const window = await open('basket.yaml');
    await window.trySelector('app in (basket, orders)');
    await window.row(/^Deployment\/orders, Matches, /).waitFor();
    await window.command('View: Close All Editors');
    await window.page.getByRole('button', { name: "Don't Save" }).click();
    await window.row(/^Deployment\/orders, Matches, /).waitFor({ state: 'detached' });
    await window.command('View: Reopen Closed Editor');
    await window.cursorBehind('kind: Deployment');
    await window.row(/^Service\/basket, Selected by, /).waitFor();
  });

  it('is not all: a CodeLens lists the locations of matches in a peek view', async () => {
    const window = await open('basket.yaml');
    await window.insist(async (limit) => {
      await window.lens('selects Deployment/basket').click(limit);
      await window.page.locator('.peekview-widget .ref-tree').waitFor(limit);
    });
    await window.screenshot('23-peek');
  });

  it('is not all: a page explains the object at the cursor', async () => {
    const window = await open('orders.yaml');
    await window.cursorBehind('kind: Service');
    await window.command('Selector Lens: Explain Object at Cursor');
    const page = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: 'Service/orders' }).waitFor();
    await page.getByText("tier is 'backend'").waitFor();
    await window.screenshot('22-explain');
    // A link leads to the line of the near miss.
    await page.getByRole('link', { name: 'orders.yaml:14' }).click();
    await window.page.getByRole('button', { name: /^Ln 14, / }).waitFor();
  });
});

describe('a finding', () => {
  const open = useStage();

  it('in the line that is being typed appears when the cursor leaves the line', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.typeAfter('team: bad value', 's ');
    await window.squiggle().waitFor({ state: 'detached' });
    await window.page.keyboard.press('ArrowUp');
    await window.squiggle().waitFor();
  });
});
