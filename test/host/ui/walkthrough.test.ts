/**
 * Tests the walkthrough as a newcomer does it: in a folder without manifests, from the sample to the last step.
 * `npm run images` uses the images.
 */
import assert from 'node:assert/strict';
import { installedForImages } from '../images-vsix.ts';
import { useStage } from '../stage.ts';
import { eventually, type Workbench } from '../workbench.ts';

for (const host of ['desktop-like', 'web'] as const) {
  describe(`the walkthrough, ${host}`, () => {
    const open = useStage(() => ({
      workspace: 'test/host/workspace/quiet',
      withoutManifests: true,
      host,
      settings: { 'editor.minimap.enabled': false, 'workbench.reduceMotion': 'on' },
      ...(host === 'desktop-like' && installedForImages()),
    }));

    it('is done from the sample to the last step, and nothing is shown before', async () => {
      const window = await open('compose.yaml', 'services:');
      const { page } = window;
      const bar = page.getByRole('button', { name: /^Kubernetes manifests: / });
      await window.command('Selector Lens: Get Started');
      const step = (id: string) => page.locator(`[data-done-step-id$="#${id}"]`);
      await step('manifest').waitFor();
      assert.equal(await bar.count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Selector Matches Section' }).count(), 0);
      assert.equal(await step('manifest').getAttribute('aria-checked'), 'false');
      await window.screenshot(`walkthrough-${host}-1-start`);

      await page.getByRole('button', { name: 'Open Sample Manifest' }).click();
      await window.indexed();
      await window.lens('selects Deployment/basket').waitFor();
      await bar.waitFor();
      assert.match((await bar.getAttribute('aria-label')) ?? '', /3 objects in 1 file, 2 problems in open files/);
      const picture = pictures(window, host);
      await picture('manifest');

      await window.hover(/^\s*selector:$/, 'selector', /Deployment\/basket/);
      await picture('hover', 560);
      await fixTheLabel(window, picture);
      await seeMatches(window, picture);
      await tryASelector(window, picture);

      await bar.click();
      await page.locator('.quick-input-list').getByText('Selector Lens: Try a Selector').waitFor();
      await picture('commands', 640, 320, 0);
      await page.keyboard.press('Escape');

      await window.command('Selector Lens: Get Started');
      for (const id of ['manifest', 'hover', 'fix', 'matches', 'try', 'commands']) {
        await eventually(
          () => step(id).getAttribute('aria-checked'),
          (checked) => checked === 'true',
        );
      }
      await page.locator('.getting-started-step').filter({ hasText: 'Choose How Much' }).click();
      await page.getByRole('button', { name: 'Open Setting' }).click();
      await page.locator('.setting-item-contents').filter({ hasText: 'How much to report' }).waitFor();
      await picture('level', 504, 776, 36);
      await window.command('Selector Lens: Get Started');
      await eventually(
        () => step('level').getAttribute('aria-checked'),
        (checked) => checked === 'true',
      );
      await window.screenshot(`walkthrough-${host}-2-end`);
    });
  });
}

type Picture = (name: string, width?: number, x?: number, y?: number) => Promise<void>;

/** Takes images of the part of the window that a step is about. */
function pictures(window: Workbench, host: string): Picture {
  return async (name, width = 560, x = 352, y = 36) => {
    await window.screenshot(`walkthrough-${host}-${name}`, { x, y, width, height: 400 });
    await window.screenshot(`walkthrough-${host}-${name}-window`);
  };
}

async function fixTheLabel(window: Workbench, picture: Picture): Promise<void> {
  await window.squiggle().waitFor();
  const fix = window.page.locator('.action-widget').getByText("'Team-Blue'").first();
  await window.insist(async (limit) => {
    await window.line('team: Team Blue').locator('span > span').last().click(limit);
    await window.page.keyboard.press('Control+.');
    await fix.waitFor(limit);
  });
  await picture('fix');
  await fix.click();
  await window.line('team: Team-Blue').waitFor();
}

async function seeMatches(window: Workbench, picture: Picture): Promise<void> {
  const input = window.page.locator('.quick-input-widget input[type=text]');
  await window.insist(async (limit) => {
    await window.page.keyboard.press('Control+g');
    await input.fill(':9:8', limit);
    await input.press('Enter', limit);
    await window.page.getByRole('button', { name: 'Ln 9, Col 8', exact: true }).waitFor(limit);
  });
  await window.showMatches(/^Selector of Service\/basket, /);
  await window.row(/^Deployment\/basket, /).waitFor();
  await picture('matches', 560, 0, 360);
}

async function tryASelector(window: Workbench, picture: Picture): Promise<void> {
  await window.command('Selector Lens: Try a Selector');
  // The selector at the cursor is selected: typing replaces it.
  await window.line('One selector a line').first().waitFor();
  await window.line(/^app=basket$/).waitFor();
  await window.page.locator('.monaco-editor.focused[data-uri^="untitled:"]').waitFor();
  await window.page.keyboard.type('tier in (backend,frontend)');
  await window.line(/^tier\sin\s\(backend,frontend\)$/).waitFor();
  await window.row(/^Deployment\/basket, Matches, /).waitFor();
  await picture('try', 480, 796, 36);
}
