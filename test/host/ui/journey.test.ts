/** The way of a person who opens a manifest: underlined, mended, completed, read, followed. */
import { useStage } from '../stage.ts';

describe('the user interface', () => {
  const open = useStage();

  it('underlines a bad label value and mends it through the light bulb', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.hover(/^\s*team:/, 'bad', /label-value-syntax/);
    await window.screenshot('1-diagnostic');
    await window.cursorBehind('team: bad');
    const bulb = '.codicon-light-bulb, .codicon-lightbulb-autofix, [class*="codicon-gutter-lightbulb"]';
    const fix = window.page.locator('.action-widget').getByText('bad-value').first();
    await window.insist(async (limit) => {
      await window.page.locator(bulb).filter({ visible: true }).first().click(limit);
      await fix.waitFor(limit);
    });
    await window.screenshot('2-quick-fix');
    await fix.click();
    await window.line('team: bad-value').waitFor();
    await window.squiggle().waitFor({ state: 'detached' });
    await window.screenshot('3-mended');
  });

  it('leaves the fields above in sight while scrolling, as without the outline', async () => {
    const window = await open('basket.yaml');
    await window.page.setViewportSize({ width: 1280, height: 320 });
    await window.cursorBehind('image: registry');
    await window.page.locator('.sticky-line-content').filter({ hasText: 'template:' }).waitFor();
    await window.screenshot('12-sticky-scroll');
  });

  it('completes a recommended label', async () => {
    const window = await open('new.yaml');
    await window.cursorBehind('app.kubernetes.io/');
    const choice = await window.suggestion('app.kubernetes.io/name');
    await window.screenshot('4-completion');
    await choice.click();
    await window.line('app.kubernetes.io/name: ').waitFor();
    await window.screenshot('5-completed');
  });

  it('says on hover what a selector matches, and what it nearly matches', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.hover(/^\s*tier:\s*back$/, 'back', /Deployment\/orders.*tier/s);
    await window.screenshot('6-hover');
  });

  it('lists the matches of the selector at the cursor, and opens one', async () => {
    const window = await open('basket.yaml');
    await window.cursorBehind('selector:\n    app: bas');
    await window.showMatches(/^Selector of Service\/basket, /);
    const match = window.row(/^Deployment\/basket, /);
    await match.waitFor();
    await window.screenshot('7-matches');
    await match.click();
    await window.page.getByRole('button', { name: /^Ln 22, / }).waitFor();
    await match.waitFor();
    await window.screenshot('8-match-opened');
  });

  it('follows the cursor, and says what to do where there is no selector', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.command('Selector Lens: Show Selector Matches');
    await window.page.getByText('Place the cursor in a selector').waitFor();
    await window.screenshot('10-no-selector');
    await window.cursorBehind('app: orders\n    tier');
    await window.row(/^Selector of Service\/orders, spec\.selector: /).waitFor();
    await window.row(/^Deployment\/orders, .*tier is 'backend'/).waitFor();
    await window.screenshot('11-near-miss');
  });
});
