/** Tests of a check of many commands: files beyond a limit are left out, which a note says. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';

const wrong = 'kubectl get pods -l "app in (a"\n';

describe('check of files with commands', () => {
  it('leaves files out after very many commands, and states that', async () => {
    const files = { 'a.sh': `${'kubectl get po -l a\n'.repeat(20_001)}${wrong}`, 'b.sh': wrong, 'c.sh': wrong };
    const { out, err } = await runInMemory(['check', '--format', 'json'], { files });
    const { diagnostics } = JSON.parse(out.join('\n')) as {
      readonly diagnostics: readonly { readonly file: string }[];
    };
    assert.deepEqual(
      diagnostics.map(({ file }) => file),
      ['a.sh'],
    );
    assert.deepEqual(err, [
      'selector-lens: Commands in 2 files were not checked, because the files before them contain too many commands.',
    ]);
  });
});
