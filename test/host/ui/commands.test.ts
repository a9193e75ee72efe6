/** The way of a person who writes kubectl: what is wrong with a selector is underlined, and hovering it shows its pods. */
import assert from 'node:assert/strict';
import { root } from '../code-server.ts';
import { Stage, type Workbench } from '../workbench.ts';

describe('selectors in commands', () => {
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

  const open = async (file: string, shows: string): Promise<Workbench> => {
    workbench = await stage.open(file, root, shows);
    return workbench;
  };

  it('are checked, coloured and explained in a shell script', async () => {
    const window = await open('look.sh', 'kubectl logs');
    await window.squiggle().waitFor();
    const colours = await window.coloursOf("kubectl get pods -l 'app in", 'app', 'in', 'basket');
    assert.equal(new Set(colours).size, 3, `app, in and basket differ: ${colours.join(', ')}`);
    const wrong = await window.hover(/^kubectl\slogs/, 'web');
    assert.match((await wrong.textContent()) ?? '', /selector-syntax/);
    await window.screenshot('30-shell-problem');
    await window.page.keyboard.press('Escape');
    const hover = await window.hover(/^kubectl\sget\spods\s-l/, 'orders');
    assert.match((await hover.textContent()) ?? '', /Selects Pods.*Deployment\/basket/s);
    await window.screenshot('31-shell-hover');
    await window.page.keyboard.press('Escape');
    await window
      .line(/^kubectl\sget\spods\s-l/)
      .first()
      .click();
    await window.page.keyboard.press('Home');
    for (const _ of "kubectl get pods -l 'app") await window.page.keyboard.press('ArrowRight');
    await window.command('Selector Lens: Show Selector Matches');
    await window.page.getByRole('treeitem', { name: /^Selector of kubectl get, selector: / }).waitFor();
    await window.page.getByRole('treeitem', { name: /^Deployment\/basket, Matches, / }).waitFor();
    await window.screenshot('33-shell-matches');
  });

  it('are checked, coloured and explained in Markdown', async () => {
    const window = await open('README.md', 'kubectl get pods -l');
    await window.squiggle().waitFor();
    assert.equal(await window.squiggles().count(), 2);
    const colours = await window.coloursOf("kubectl get pods -l 'app=basket'", 'app', 'basket');
    assert.equal(new Set(colours).size, 2, `app and basket differ: ${colours.join(', ')}`);
    const hover = await window.hover(/'app=basket'/, 'basket');
    assert.match((await hover.textContent()) ?? '', /Selects Pods.*Deployment\/basket/s);
    await window.screenshot('32-markdown-hover');
  });
});
