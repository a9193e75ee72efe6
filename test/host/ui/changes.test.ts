/** Tests the editing of a manifest in a git repository: rejected updates are underlined before they are saved. */
import assert from 'node:assert/strict';
import { useStage } from '../stage.ts';
import type { Workbench } from '../workbench.ts';

async function showChanges(window: Workbench): Promise<void> {
  await window.command('Selector Lens: Show Changes Since HEAD');
}

describe('changes since HEAD', () => {
  const open = useStage(() => ({ workspace: 'test/host/workspace/git', committed: true }));

  it('are underlined, and explained with the value at HEAD', async () => {
    const window = await open('web.yaml');
    await window.cursorBehind('      app: web');
    await window.page.keyboard.type('site');
    // A finding under typed text appears when the cursor leaves it.
    await window.page.keyboard.press('ArrowUp');
    await window.squiggle().waitFor();
    await window.hover(/app:\swebsite/, 'website', /The selector of Deployment\/web differs from HEAD/);
    await window.screenshot('60-changes-since-head');
  });

  it('are listed in a view, which follows edits and leads to them', async () => {
    const window = await open('web.yaml');
    await showChanges(window);
    await window.page.getByText('No match is lost or gained since HEAD, and no object must be recreated.').waitFor();
    await window.screenshot('61-no-changes-since-head');
    await window.cursorBehind('        app: web');
    await window.page.keyboard.type('site');
    const lost = /^Loses matches, Service\/web no longer selects Deployment\/web\., web\.yaml:12/;
    await window.row(lost).waitFor();
    await window.cursorBehind('      app: web');
    await window.page.keyboard.type('site');
    const rejected = /^Must be recreated, The selector of Deployment\/web changed from 'app=web' to 'app=website'/;
    await window.row(rejected).waitFor();
    const child = window.row(/^Deployment\/web, web\.yaml:4/);
    await window.insist(async (limit) => {
      await showChanges(window);
      for (const key of ['Home', 'ArrowDown', 'ArrowRight']) await window.page.keyboard.press(key);
      await child.waitFor(limit);
    });
    await window.screenshot('62-changes-view');
    await window.page.keyboard.press('Enter');
    await window.page.getByRole('button', { name: /^Ln 8, Col \d+ \(7 selected\)/ }).waitFor();
    await window.command('Selector Lens: Refresh Changes');
    await window.row(rejected).waitFor();
  });

  it('are reviewed on a page with links to lines', async () => {
    const window = await open('web.yaml');
    await window.cursorBehind('        app: web');
    await window.page.keyboard.type('site');
    await window.command('Selector Lens: Review Changes');
    const page = window.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
    await page.getByText('1 refused update').first().waitFor();
    await window.screenshot('65-review-changes');
    // The next page replaces it, although it has the focus.
    await window.command('Selector Lens: Review Changes');
    await page.getByText('1 refused update').first().waitFor();
    assert.equal(await window.page.locator('.editor-group-container').count(), 2);
    assert.equal(await window.page.locator('.tab').filter({ hasText: '.md' }).count(), 1);
    await window.screenshot('66-pages');
    await page.getByRole('link', { name: 'web.yaml:12' }).first().click();
    await window.page.getByRole('button', { name: /^Ln 12, Col 1/ }).waitFor();
  });
});

describe('changes in a folder without a repository', () => {
  const open = useStage(() => ({ workspace: 'test/host/workspace/git' }));

  it('are none, as the view says', async () => {
    const window = await open('web.yaml');
    await showChanges(window);
    await window.page.getByText('No git repository is open, so there is nothing to compare manifests with.').waitFor();
    await window.screenshot('63-no-repository');
  });
});

describe('changes without the Git extension', () => {
  const open = useStage(() => ({
    workspace: 'test/host/workspace/git',
    committed: true,
    settings: { 'git.enabled': false },
  }));

  it('are none, as the view says', async () => {
    const window = await open('web.yaml');
    await showChanges(window);
    await window.page.getByText(/^Manifests are compared with git by the Git extension/).waitFor();
    await window.screenshot('64-no-git');
  });
});
