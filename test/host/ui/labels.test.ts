/** Tests the page about the labels of a workspace. */
import { useStage } from '../stage.ts';

describe('the labels of a workspace', () => {
  const open = useStage();

  it('are listed on a page with links to lines', async () => {
    const window = await open('orders.yaml');
    await window.command('Selector Lens: Show Labels');
    const page = window.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
    await page.getByRole('heading', { name: 'Labels', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await window.screenshot('25-labels');
    await page.getByRole('link', { name: 'Service/orders' }).first().click();
    await window.page.getByRole('button', { name: /^Ln \d+, Col 1/ }).waitFor();
  });
});
