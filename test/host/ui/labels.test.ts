/** Tests the page about the labels of a workspace, and the adoption of recommended labels. */
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

  it('are adopted in stages, after a preview of every change', async () => {
    const window = await open('basket.yaml');
    await window.command('Selector Lens: Adopt Recommended Labels');
    const stages = window.page.locator('.quick-input-list .monaco-list-row');
    await stages.filter({ hasText: 'Stage 2' }).waitFor();
    await window.screenshot('26-adopt-stages');
    await stages.filter({ hasText: 'Stage 1: add labels to objects and pod templates' }).click();
    const rows = window.page.locator('.bulk-edit-panel .monaco-list-row');
    await rows.filter({ hasText: 'basket.yaml' }).first().waitFor();
    await rows.filter({ hasText: 'basket.yaml' }).first().locator('.edit-checkbox').click();
    await window.screenshot('27-adopt-preview');
    await window.page.getByRole('button', { name: 'Apply', exact: true }).click();
    await window.line('app.kubernetes.io/name: basket').first().waitFor();
    await window.screenshot('28-adopted');
  });
});
