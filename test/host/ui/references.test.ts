/** Tests names of objects in a window: hover, completion, CodeLens with its list of references, map and rename. */
import { useStage } from '../stage.ts';
import type { Workbench } from '../workbench.ts';

describe('the name of an object', () => {
  const open = useStage(() => ({ workspace: 'test/host/workspace/references' }));

  it('shows the object and its keys, and completes', async () => {
    const window = await open('web.yaml');
    await window.cursorBehind('                  name: db');
    await window.hover(/^\s+name:\sdb/, 'db', /Refers to.*ExternalSecret\/db.*user.*password/s);
    await window.screenshot('70-reference-hover');
    await window.cursorBehind('                  name: db');
    await window.page.keyboard.press('Backspace');
    await window.suggestion('db');
    await window.screenshot('71-reference-completion');
  });

  it('has a lens that lists its references, and is renamed', async () => {
    const window = await open('config.yaml');
    const lens = window.lens('used by 2 objects');
    await lens.waitFor();
    await window.screenshot('72-reference-lens');
    await window.insist(async (limit) => {
      await lens.click(limit);
      await window.page.locator('.peekview-widget .ref-tree').waitFor(limit);
    });
    await window.screenshot('73-reference-list');
    await window.page.keyboard.press('Escape');
    await rename(window);
  });

  it('is a line in the map, which a control hides', async () => {
    const window = await open('web.yaml');
    await window.cursorBehind('kind: Service');
    await window.command('Selector Lens: Show Selector Map');
    const map = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const settings = map.getByRole('button', { name: /^ConfigMap\/settings, namespace / });
    await settings.waitFor();
    await window.screenshot('74-reference-map');
    await map.getByRole('checkbox', { name: 'References' }).uncheck();
    await settings.waitFor({ state: 'detached' });
  });
});

async function rename(window: Workbench): Promise<void> {
  await window.cursorBehind('  name: settings');
  const input = window.page.locator('.rename-box input');
  await window.insist(async (limit) => {
    await window.page.keyboard.press('F2');
    await input.waitFor(limit);
  });
  await input.fill('options');
  await input.press('Enter');
  await window.line('  name: options').waitFor();
  await window.screenshot('75-reference-rename');
}
