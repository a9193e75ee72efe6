/** A tour of the examples in a light theme; `npm run images` uses some of its screenshots. */
import { installedForImages } from '../images-vsix.ts';
import { useStage } from '../stage.ts';
import { eventually, type Workbench } from '../workbench.ts';

describe('a tour of the examples', () => {
  const openWindow = useStage(() => ({
    workspace: 'examples',
    settings: { 'editor.minimap.enabled': false, 'editor.wordWrap': 'on', 'workbench.reduceMotion': 'on' },
    ...installedForImages(),
  }));
  let window: Workbench;

  /** A theme in the settings is not always applied to a new window, or late; the command always is. */
  const open = async (file: string) => {
    window = await openWindow(file);
    const light = window.page.locator('.monaco-workbench.vs');
    await window.insist(async (limit) => {
      if (!(await light.isVisible())) await window.command('Preferences: Toggle between Light/Dark Themes');
      await light.waitFor(limit);
    });
  };
  const see = (what: string) => window.screenshot(`tour-${what}`);

  it('shows above each object, on hover, and as calls, what selects what', async () => {
    await open('shop/storefront.yaml');
    await window.lens(/selected by Service\/storefront/i).waitFor();
    await see('lenses');
    await window.hover(/^\s*selector:$/, 'selector', /Deployment\/storefront/);
    await see('hover');
    await window.cursorBehind('kind: Deployment');
    await window.command('Calls: Show Call Hierarchy');
    await window.row(/PodDisruptionBudget\/storefront/).waitFor();
    await see('call-hierarchy');
  });

  it('completes a selector with the matches of each choice', async () => {
    await open('shop/basket.yaml');
    await window.cursorBehind('selector:\n    app.kubernetes.io/name: basket');
    await window.page.keyboard.press('Enter');
    await window.suggestion('track');
    await see('completion');
  });

  it('previews a rename, without selecting edits that need a review', async () => {
    await open('shop/basket.yaml');
    await window.cursorBehind('matchLabels:\n      app.kubernetes.io/name: bas');
    const name = window.page.locator('.rename-box input');
    await window.insist(async (limit) => {
      await window.page.keyboard.press('F2');
      await name.fill('cart', limit);
    });
    await name.press('Control+Enter');
    const rows = window.page.locator('.bulk-edit-panel .monaco-list-row');
    // The list draws only rows in view, its height depends on the window before, and it draws the parents of its
    // first row a second time, at its top.
    await window.insist(async (limit) => {
      await window.page.locator('.bulk-edit-panel').hover(limit);
      await window.page.mouse.wheel(0, 200);
      await rows.filter({ hasText: 'policies.yaml' }).first().waitFor(limit);
    });
    const ticks = () =>
      rows.locator('.edit-checkbox').evaluateAll((all) => all.map((tick) => tick.getAttribute('aria-checked')));
    await eventually(ticks, (all) => all.includes('true') && all.includes('false'));
    // The buttons of a view appear with the mouse.
    await window.page.locator('.bulk-edit-panel').hover();
    await window.page.getByRole('button', { name: /^Group Changes By Type/ }).click();
    await rows.filter({ hasText: 'then recreate Deployment/basket and Deployment/basket-canary' }).first().waitFor();
    await see('rename');
  });

  it('lists the matches of a selector, and tries selectors next to it', async () => {
    await open('shop/policies.yaml');
    await window.cursorBehind('podSelector: {');
    // An editor that loses the focus before it requested lenses does not request them until it has the focus again.
    await window.lens('selects 4 workloads').waitFor();
    await window.showMatches(/NetworkPolicy\/deny-by-default/);
    await window.row(/^Deployment\/basket, /).waitFor();
    await see('matches');
    await window.trySelector('app.kubernetes.io/part-of=shop,track notin (canary)');
    await window.row(/^Selector: .*track is absent or not 'canary'/).waitFor();
    await window.lens('3 matches').waitFor();
    await window.row(/^Deployment\/storefront, Matches, storefront\.yaml/).waitFor();
    await window.lens('selects 4 workloads').waitFor();
    await see('try-a-selector');
  });

  it('begins with one of several overlays, and lets the user select another one', async () => {
    await open('overlays/base/search.yaml');
    await window.cursorBehind('spec:\n  selector:');
    // As above: the view takes the keyboard, and the lens must be there before.
    await window.lens('Overlay: production (1 of 2)').waitFor();
    await window.showMatches(/Service\/search/);
    const other = window.row(/^In staging: matches 1/);
    await other.waitFor();
    await window.page.getByRole('button', { name: 'Overlay: production', exact: true }).waitFor();
    await see('scopes');
    await other.click();
    await window.row(/^In production: matches 2/).waitFor();
    await window.page.getByRole('button', { name: 'Overlay: staging', exact: true }).click();
    await window.page.getByRole('option', { name: /^production, \d+ objects/ }).click();
    await window.row(/^In staging: matches 1/).waitFor();
  });
});
