/** Tests a window in which the language server fails at its start: the status says so, and the log opens. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../code-server.ts';
import { newFolder, removeFolder } from '../folders.ts';
import { useStage } from '../stage.ts';

describe('a language server that does not start', () => {
  let folder: string;

  before(async () => {
    folder = join(await newFolder('broken'), 'extension');
    await mkdir(join(folder, 'dist'), { recursive: true });
    for (const part of ['package.json', 'package.nls.json', 'images', 'dist/extension'])
      await cp(join(root, part), join(folder, part), { recursive: true });
    await mkdir(join(folder, 'dist', 'server'));
    await writeFile(join(folder, 'dist', 'server', 'node.js'), "throw new Error('A broken build.');\n");
  });
  after(() => removeFolder(join(folder, '..')));
  const open = useStage(() => ({ deserialized: [folder], installed: true, withoutManifests: true }));

  it('is reported in the status bar, and the log opens', async () => {
    const window = await open('orders.yaml');
    const { page } = window;
    await page.getByRole('button', { name: 'Selector Lens is not running', exact: true }).waitFor();
    await window.command('Selector Lens: Show Log');
    await page.locator('.part.panel .monaco-editor').first().waitFor();
    await window.screenshot('95-failed-start');
  });
});
