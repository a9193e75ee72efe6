/**
 * Tests the editing of kubectl commands: faults of selectors are underlined, and hovering a selector shows its pods.
 */
import { useStage } from '../stage.ts';
import { eventually } from '../workbench.ts';

describe('selectors in commands', () => {
  const open = useStage();

  it('are checked, colored and explained in a shell script', async () => {
    const window = await open('look.sh', 'kubectl logs');
    await window.squiggle().waitFor();
    await window.coloursDiffer("kubectl get pods -l 'app in", 'app', 'in', 'basket');
    await window.hover(/^kubectl\slogs/, 'web', /selector-syntax/);
    await window.screenshot('30-shell-problem');
    await window.hover(/^kubectl\sget\spods\s-l/, 'orders', /Selects Pods.*Deployment\/basket/s);
    await window.screenshot('31-shell-hover');
    await window.cursorBehind("kubectl get pods -l 'app");
    await window.showMatches(/^Selector of kubectl get, selector: /);
    await window.row(/^Deployment\/basket, Matches, /).waitFor();
    await window.screenshot('33-shell-matches');
  });

  it('are checked, colored and explained in Markdown', async () => {
    const window = await open('README.md', 'kubectl get pods -l');
    await eventually(
      () => window.squiggles().count(),
      (count) => count === 2,
    );
    await window.coloursDiffer("kubectl get pods -l 'app=basket'", 'app', 'basket');
    await window.hover(/'app=basket'/, 'basket', /Selects Pods.*Deployment\/basket/s);
    await window.screenshot('32-markdown-hover');
  });
});
