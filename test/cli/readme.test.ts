/** Tests that the README shows the real output of the command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built } from '../harness/built.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = built('cli.js');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```console\n\$ selector-lens (.+)\n([^`]*(?:`[^`\n]+`[^`]*)*)```$/gm)];

describe('the README', () => {
  it('shows a check', () => {
    assert.deepEqual(
      blocks.map(([, line]) => line?.split(' ')[0]),
      ['check'],
    );
  });

  for (const [, line = '', shown] of blocks) {
    it(`shows the output of selector-lens ${line}`, () => {
      const words = [command, ...line.split(' ')];
      const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: join(root, 'examples'), encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.equal(stdout, shown);
    });
  }
});
