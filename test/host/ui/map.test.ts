/** Tests the Selector Map in a window: it draws, follows the cursor and edits, and takes the keyboard. */
import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { useStage } from '../stage.ts';
import { eventually, type Workbench } from '../workbench.ts';

const workspace = 'test/host/workspace/policies';

/** Shows the map, and waits until it has drawn an object. */
async function showMap(window: Workbench, object: string): Promise<FrameLocator> {
  await window.command('Selector Lens: Show Selector Map');
  const map = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await nodeIn(map, object).waitFor();
  return map;
}

/** A node by what is read aloud. */
function nodeIn(map: FrameLocator, object: string) {
  return map.getByRole('button', { name: new RegExp(`^${object}, namespace `) });
}

describe('the Selector Map around the cursor', () => {
  const open = useStage(() => ({ workspace }));

  it('draws and follows the object under the cursor, opens one by the keyboard, and then stays as it is', async () => {
    const window = await open('shop.yaml');
    await window.cursorBehind('kind: Service');
    const map = await showMap(window, 'Service/web');
    for (const object of ['Deployment/web', 'Ingress/shop', 'HorizontalPodAutoscaler/web', 'PodDisruptionBudget/web'])
      await nodeIn(map, object).waitFor();
    await map.getByRole('heading', { name: 'Service/web', level: 1 }).waitFor();
    await map.locator('.details').getByText('Service/web selects the pods of Deployment/web: app=web').waitFor();
    await window.line('kind: Ingress').first().click();
    await map.getByRole('heading', { name: 'Ingress/shop', level: 1 }).waitFor();
    await window.cursorBehind('kind: Service');
    await map.getByRole('heading', { name: 'Service/web', level: 1 }).waitFor();
    await window.insist(async (limit) => {
      await nodeIn(map, 'Service/web').focus(limit);
      await window.page.keyboard.press('ArrowRight');
      await map.locator(':focus[aria-label^="Deployment/web"]').waitFor(limit);
    });
    await window.page.keyboard.press('Enter');
    await window.page.getByRole('button', { name: /^Ln 24, Col \d/ }).waitFor();
    await map.getByRole('heading', { name: 'Service/web', level: 1 }).waitFor();
  });

  it('follows edits', async () => {
    const window = await open('shop.yaml');
    await window.cursorBehind('selector:\n    app: web');
    const map = await showMap(window, 'Deployment/web');
    await window.line('app: web').nth(1).click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type('site');
    await nodeIn(map, 'Deployment/web').waitFor({ state: 'detached' });
  });
});

describe('the Selector Map', () => {
  const open = useStage(() => ({ workspace }));

  it('draws a whole scope with allowed connections, and filters it', async () => {
    const window = await open('data.yaml');
    const map = await showMap(window, 'StatefulSet/db');
    await map.getByLabel('Show', { exact: true }).selectOption('All Objects');
    await map.getByRole('button', { name: 'Group shop: 5 objects' }).waitFor();
    await map.getByRole('checkbox', { name: 'Connections' }).check();
    await map.locator('.edge.connects').first().waitFor({ state: 'attached' });
    await map.getByRole('searchbox').fill('app=web');
    await nodeIn(map, 'StatefulSet/db').waitFor({ state: 'detached' });
    await nodeIn(map, 'Service/web').waitFor();
    await map.getByRole('searchbox').fill('');
    await map.getByRole('button', { name: 'Filter', exact: true }).click();
    await map.getByRole('checkbox', { name: 'NetworkPolicy' }).uncheck();
    await nodeIn(map, 'NetworkPolicy/db').waitFor({ state: 'detached' });
    await map.getByRole('button', { name: 'Group shop: 5 objects' }).press('Enter');
    await map.getByRole('button', { name: 'Group shop: 5 objects, collapsed' }).waitFor();
  });

  it('shows everything as a list, and connections as a table, too', async () => {
    const window = await open('data.yaml');
    const map = await showMap(window, 'StatefulSet/db');
    await map.getByLabel('As', { exact: true }).selectOption('List');
    await map
      .getByRole('button', { name: 'NetworkPolicy/db selects the pods of StatefulSet/db: app=db' })
      .first()
      .click();
    await window.page.getByRole('button', { name: /^Ln 48, Col \d/ }).waitFor();
    await map.getByRole('heading', { name: 'StatefulSet/db', level: 1 }).waitFor();
    await map.getByLabel('Show', { exact: true }).selectOption('All Objects');
    await map.getByLabel('As', { exact: true }).selectOption('Connections');
    const row = map.getByRole('row', { name: /^StatefulSet\/db.* TCP 5432 .*Deployment\/web/ });
    await row.waitFor();
    await window.screenshot('32-map-connections');
    await row.getByRole('button', { name: /^Deployment\/web/ }).click();
    await map.getByRole('heading', { level: 1 }).waitFor();
  });

  it('shows names as text, never as markup, and saves the shown graph', async () => {
    const window = await open('data.yaml');
    await window.cursorBehind('kind: DaemonSet');
    const map = await showMap(window, 'DaemonSet/backup');
    await map.locator('.node .name').filter({ hasText: '<img src=x onerror=alert(1)>' }).waitFor();
    assert.equal(await map.locator('img').count(), 0);
    for (const [format, file] of [
      ['PNG', 'selector-map.png'],
      ['SVG', 'selector-map.svg'],
    ] as const) {
      await map.getByLabel('Export', { exact: true }).selectOption(format);
      const name = window.page.locator('.quick-input-widget input[type=text]');
      await eventually(
        () => name.inputValue(),
        (path) => path.endsWith(file),
      );
      await name.press('Enter');
      await window.row(new RegExp(file.replace('.', '\\.'))).waitFor();
    }
  });
});

const themes = {
  light: ['Light Modern', '.monaco-workbench.vs'],
  dark: ['Dark Modern', '.monaco-workbench.vs-dark'],
  'high-contrast': ['Dark High Contrast', '.monaco-workbench.hc-black'],
} as const;

/** Selects a color theme by its command, since new windows apply a theme from the settings late or not at all. */
async function chooseTheme(window: Workbench, theme: string, drawn: string): Promise<void> {
  await window.insist(async (limit) => {
    await window.command('Preferences: Color Theme');
    const input = window.page.locator('.quick-input-widget input[type=text]');
    await input.fill(theme, limit);
    await window.page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: theme }).waitFor(limit);
    await input.press('Enter', limit);
    await window.page.locator(drawn).waitFor(limit);
  });
}

for (const [name, [theme, drawn]] of Object.entries(themes)) {
  describe(`network policies in a ${name} theme`, () => {
    const open = useStage(() => ({
      workspace,
      settings: { 'editor.minimap.enabled': false, 'workbench.reduceMotion': 'on' },
    }));

    it('are in lenses, hovers and the map', async () => {
      const window = await open('data.yaml');
      await chooseTheme(window, theme, drawn);
      await window.cursorBehind('kind: NetworkPolicy');
      await window.lens(/Deployment\/web may connect/).waitFor();
      await window.hover(
        'kind: NetworkPolicy',
        'NetworkPolicy',
        /Deployment\/web may connect to StatefulSet\/db on TCP 5432/,
      );
      await window.screenshot(`30-policy-hover-${name}`);
      await window.cursorBehind('kind: StatefulSet');
      const map = await showMap(window, 'StatefulSet/db');
      await map.getByLabel('Show', { exact: true }).selectOption('All Objects');
      await map.getByRole('checkbox', { name: 'Connections' }).check();
      await map.locator('.edge.connects').first().waitFor({ state: 'attached' });
      await window.screenshot(`31-map-${name}`);
    });
  });
}
