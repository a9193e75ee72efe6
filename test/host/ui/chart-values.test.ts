/** Tests the choice of the values file with which a chart is evaluated. */
import { useStage } from '../stage.ts';

describe('the values of a chart', () => {
  const open = useStage(() => ({ workspace: 'test/host/workspace/charts' }));

  it('are chosen with the keyboard, and decide what a selector matches', async () => {
    const window = await open('web/templates/web.yaml');
    await window.hover(/tier:\s\{\{/, 'tier', /1 other object matches with other chart values/);
    await window.command('Selector Lens: Choose Overlay or Values…');
    await window.page.getByRole('option', { name: /^values-prod\.yaml/ }).waitFor();
    await window.page.keyboard.type('prod');
    await window.page.keyboard.press('Enter');
    await window.hover(/tier:\s\{\{/, 'tier', /Evaluated with values-prod\.yaml.*Matches \(1\)/s);
    await window.lens('Values: values-prod.yaml').waitFor();
    await window.screenshot('40-chosen-values');
    await window.command('Selector Lens: Choose Overlay or Values…');
    await window.page.getByRole('option', { name: /^values-prod\.yaml, now/ }).waitFor();
    await window.page.keyboard.type('Default Values');
    await window.page.keyboard.press('Enter');
    await window.hover(/tier:\s\{\{/, 'tier', /1 other object matches with other chart values/);
  });
});
