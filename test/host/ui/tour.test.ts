/** What does a person see who looks around in the examples? Looked at in both themes; `npm run images` keeps some of it. */
import assert from 'node:assert/strict';
import { root } from '../code-server.ts';
import { Stage, type Workbench } from '../workbench.ts';

const themes = { light: '.monaco-workbench.vs', dark: '.monaco-workbench.vs-dark' };

for (const [name, drawn] of Object.entries(themes)) {
  describe(`a tour of the examples in a ${name} theme`, () => {
    let stage: Stage;
    let window: Workbench;

    before(async () => {
      stage = await Stage.set(
        { settings: { 'editor.minimap.enabled': false, 'editor.wordWrap': 'on', 'workbench.reduceMotion': 'on' } },
        'examples',
      );
    });
    after(() => stage[Symbol.asyncDispose]());
    afterEach(async function () {
      if (this.currentTest?.state === 'failed')
        await window.screenshot(`failed-${name}-${this.currentTest.title.replaceAll(/\W+/g, '-')}`);
      await window.close();
    });

    /** A theme among the settings is not always heeded by a new window; the command is. */
    const open = async (file: string) => {
      window = await stage.open(file, root);
      if (name === 'dark') await window.command('Preferences: Toggle between Light/Dark Themes');
      await window.page.locator(drawn).waitFor();
    };
    const see = (what: string) => window.screenshot(`tour-${name}-${what}`);

    it('shows who selects what above each object, and on hover', async () => {
      await open('shop/storefront.yaml');
      await window.page
        .getByText(/selected by Service\/storefront/i)
        .first()
        .waitFor();
      await see('lenses');
      await window.hover(/^\s*selector:$/, 'selector');
      await see('hover');
    });

    it('completes a selector with how much each choice would match', async () => {
      await open('shop/basket.yaml');
      await window.cursorBehind('selector:\n    app.kubernetes.io/name: basket');
      await window.page.keyboard.press('Enter');
      await window.page.keyboard.press('Control+Space');
      await window.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'track' }).first().waitFor();
      await see('completion');
    });

    it('walks from a workload to what selects it', async () => {
      await open('shop/storefront.yaml');
      await window.cursorBehind('kind: Deployment');
      await window.command('Calls: Show Call Hierarchy');
      await window.page
        .getByRole('treeitem', { name: /PodDisruptionBudget\/storefront/ })
        .first()
        .waitFor();
      await see('call-hierarchy');
    });

    it('shows what a rename changes before it is made, and ticks nothing that needs a look', async () => {
      await open('shop/basket.yaml');
      await window.cursorBehind('matchLabels:\n      app.kubernetes.io/name: bas');
      await window.page.keyboard.press('F2');
      await window.page.locator('.rename-box input').fill('cart');
      await window.page.keyboard.press('Control+Enter');
      const rows = window.page.locator('.bulk-edit-panel .monaco-list-row');
      await rows.filter({ hasText: 'policies.yaml' }).waitFor();
      const ticks = rows.locator('.edit-checkbox');
      assert.ok((await ticks.count()) > 3);
      for (const tick of await ticks.all()) assert.equal(await tick.getAttribute('aria-checked'), 'false');
      // The buttons of a view come with the mouse.
      await rows.first().hover();
      await window.page.getByRole('button', { name: /^Group Changes By Type/ }).click();
      await rows.filter({ hasText: 'then recreate Deployment/basket and Deployment/basket-canary' }).waitFor();
      await see('rename');
    });

    it('lists what a selector matches, and tries selectors beside it', async () => {
      await open('shop/policies.yaml');
      // VS Code asks for lenses a little after a file is opened, and forgets some where it scrolls away before.
      await window.page.locator('.codelens-decoration').getByText('selects').first().waitFor();
      await window.cursorBehind('podSelector: {');
      await window.command('Selector Lens: Show Selector Matches');
      await window.page
        .getByRole('treeitem', { name: /^Deployment\/basket, / })
        .first()
        .waitFor();
      // The view takes the keyboard last of all.
      await window.page.locator('.monaco-list-row.focused').filter({ hasText: 'NetworkPolicy/deny' }).waitFor();
      await see('matches');
      await window.command('Selector Lens: Try a Selector');
      await window.line('One selector a line').first().waitFor();
      await window.page.keyboard.type('app.kubernetes.io/part-of=shop,track notin (canary)');
      await window.page.getByRole('treeitem', { name: /^Selector: .*track is absent or not 'canary'/ }).waitFor();
      await window.page.locator('.codelens-decoration').getByText('4 matches').waitFor();
      await window.page.getByRole('treeitem', { name: /^Deployment\/storefront, Matches, spec\.template, / }).waitFor();
      await window.page.locator('.codelens-decoration').getByText('selects 4 workloads').waitFor();
      await see('try-a-selector');
    });

    it('leads with one of several overlays, and lets another one lead', async () => {
      await open('overlays/base/search.yaml');
      await window.cursorBehind('spec:\n  selector:');
      await window.command('Selector Lens: Show Selector Matches');
      const other = window.page.getByRole('treeitem', { name: /^In staging: matches 1/ });
      await window.page.locator('.monaco-list-row.focused').filter({ hasText: 'Service/search' }).waitFor();
      await other.waitFor();
      await see('scopes');
      await other.click();
      await window.page.getByRole('treeitem', { name: /^In production: matches 2/ }).waitFor();
    });
  });
}
