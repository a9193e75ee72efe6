/** The way of a person who opens a manifest: underlined, mended, completed, read, followed. */
import assert from 'node:assert/strict';
import { root } from '../code-server.ts';
import { Stage, type Workbench } from '../workbench.ts';

describe('the user interface', () => {
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

  it('underlines a bad label value and mends it through the light bulb', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    const message = await window.hover(/^\s*team:/, 'bad');
    assert.match((await message.textContent()) ?? '', /label-value-syntax/);
    await window.screenshot('1-diagnostic');
    await window.cursorBehind('team: bad');
    await window.page
      .locator('.codicon-light-bulb, .codicon-lightbulb-autofix, [class*="codicon-gutter-lightbulb"]')
      .first()
      .click();
    const fixes = window.page.locator('.action-widget').filter({ hasText: 'bad-value' });
    await fixes.waitFor();
    await window.screenshot('2-quick-fix');
    await fixes.getByText('bad-value').first().click();
    await window.line('team: bad-value').waitFor();
    await window.squiggle().waitFor({ state: 'detached' });
    await window.screenshot('3-mended');
  });

  it('completes a recommended label', async () => {
    const window = await open('new.yaml');
    await window.cursorBehind('app.kubernetes.io/');
    await window.page.keyboard.press('Control+Space');
    const choice = window.page
      .locator('.suggest-widget .monaco-list-row')
      .filter({ hasText: 'app.kubernetes.io/name' });
    await choice.first().waitFor();
    await window.screenshot('4-completion');
    await choice.first().click();
    await window.line('app.kubernetes.io/name: ').waitFor();
    await window.screenshot('5-completed');
  });

  it('says on hover what a selector matches, and what it nearly matches', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    const hover = await window.hover(/^\s*tier:\s*back$/, 'back');
    await window.screenshot('6-hover');
    assert.match((await hover.textContent()) ?? '', /tier/);
  });

  it('lists the matches of the selector at the cursor, and opens one', async () => {
    const window = await open('basket.yaml');
    await window.cursorBehind('selector:\n    app: bas');
    await window.command('Selector Lens: Show Selector Matches');
    const match = window.page.getByRole('treeitem', { name: /^Deployment\/basket, / });
    await match.first().waitFor();
    await window.screenshot('7-matches');
    await match.first().click();
    await window.page.getByRole('button', { name: /^Ln 22, / }).waitFor();
    await match.first().waitFor();
    await window.screenshot('8-match-opened');
  });

  it('follows the cursor, and says what to do where there is no selector', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.command('Selector Lens: Show Selector Matches');
    await window.page.getByText('Place the cursor in a selector').waitFor();
    await window.screenshot('10-no-selector');
    await window.cursorBehind('app: orders\n    tier');
    await window.page.getByRole('treeitem', { name: /^Selector of Service\/orders, spec\.selector: / }).waitFor();
    const miss = window.page.getByRole('treeitem', { name: /^Deployment\/orders, .*tier is 'backend'/ });
    await miss.waitFor();
    await window.screenshot('11-near-miss');
  });
});
