/**
 * The way of a person who edits a manifest in a git repository: what cannot be applied is underlined while it is typed.
 */
import { useStage } from '../stage.ts';

describe('changes since HEAD', () => {
  const open = useStage(() => ({ workspace: 'test/host/workspace/git', committed: true }));

  it('are underlined, and explained with the value at HEAD', async () => {
    const window = await open('web.yaml');
    await window.cursorBehind('      app: web');
    await window.page.keyboard.type('site');
    await window.squiggle().waitFor();
    await window.hover(/app:\swebsite/, 'website', /Selector of Deployment\/web differs from HEAD/);
    await window.screenshot('60-changes-since-head');
  });
});
