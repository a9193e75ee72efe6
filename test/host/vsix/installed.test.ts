/** Tests the installed packaged extension, without its sources. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { newFolder, removeFolder } from '../folders.ts';
import { useStage } from '../stage.ts';
import { packageVsix } from './package-vsix.ts';

describe('the VSIX', () => {
  let folder: string;
  let vsix: string;

  before(async () => {
    folder = await newFolder('vsix');
    vsix = packageVsix(folder);
  });
  after(() => removeFolder(folder));
  const open = useStage(() => ({ vsix: [vsix], installed: true }));

  it('is smaller than 2 MB', async () => {
    const { size } = await stat(vsix);
    assert.ok(size < 2 * 1024 * 1024, `${size} bytes`);
  });

  it('underlines a bad value and shows a hover in the installed extension', async () => {
    const window = await open('orders.yaml');
    await window.squiggle().waitFor();
    await window.hover(/^\s*tier:\s*back$/, 'back', /Deployment\/orders.*tier/s);
    await window.screenshot('9-installed');
  });
});
