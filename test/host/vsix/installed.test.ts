/** Does the packaged extension work where it was installed, far from its sources? */
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage, type Workbench } from '../workbench.ts';
import { packageVsix } from './package-vsix.ts';

describe('the VSIX', () => {
  let folder: string;
  let vsix: string;
  let stage: Stage | undefined;
  let workbench: Workbench | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selector-lens-vsix-'));
    vsix = packageVsix(folder);
  });
  after(async () => {
    await stage?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench?.screenshot('failed-vsix');
  });

  it('is smaller than 2 MB', async () => {
    const { size } = await stat(vsix);
    assert.ok(size < 2 * 1024 * 1024, `${size} bytes`);
  });

  it('underlines a bad value and answers a hover from the installed copy', async () => {
    stage = await Stage.set({ vsix });
    workbench = await stage.open('orders.yaml');
    await workbench.squiggle().waitFor();
    const hover = await workbench.hover(/^\s*tier:\s*back$/, 'back');
    assert.match((await hover.textContent()) ?? '', /tier/);
    await workbench.screenshot('9-installed');
  });
});
