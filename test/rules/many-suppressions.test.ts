/** Tests of files with thousands of suppressions: all count, and the findings about them are limited. */

import assert from 'node:assert/strict';
import { runInMemory } from '../cli/memory-world.ts';

const bad = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    app: "a b"\n';

async function rulesIn(text: string): Promise<readonly (readonly [rule: string, message: string])[]> {
  const { json } = await runInMemory(['check', '--format', 'json'], { files: { 'a.yaml': text } });
  const { diagnostics } = json as { diagnostics: readonly { readonly rule: string; readonly message: string }[] };
  return diagnostics.map(({ rule, message }) => [rule, message]);
}

describe('a file with thousands of suppressions', () => {
  const limited = async (text: string, more: number) => {
    const found = await rulesIn(text);
    assert.equal(found.filter(([rule]) => rule === 'unknown-rule').length, 100);
    assert.equal(
      found.filter(([, message]) => message.endsWith(` And ${more} more such names in this file.`)).length,
      1,
    );
    assert.ok(found.some(([rule]) => rule === 'label-value-syntax'));
  };

  it('has a limited number of findings about unknown rules', async () => {
    await limited(`${'# selector-lens-disable-file foo\n'.repeat(20_000)}${bad}`, 19_900);
    const names = Array.from({ length: 20_000 }, (_, number) => `r${number}`);
    await limited(`# selector-lens-disable-file ${names.join(', ')}\n${bad}`, 19_900);
    await limited(`${'# selector-lens-disable-file\n'.repeat(20_000)}${bad}`, 19_900);
  });

  it('is suppressed by all that are before a line, however many lines are blank', async () => {
    const all = '# selector-lens-disable-next-line all\n'.repeat(20_000);
    assert.deepEqual(await rulesIn(bad.replace('    app', `${all}${'\n'.repeat(50_000)}    app`)), []);
  });

  it('has every suppression on its own line', async () => {
    const labels = Array.from(
      { length: 3000 },
      (_, n) => `    l${n}: "a b" # selector-lens-disable-line label-value-syntax\n`,
    );
    const found = await rulesIn(bad.replace('    app: "a b"\n', `${labels.join('')}    app: "a b"\n`));
    assert.deepEqual(
      found.map(([rule]) => rule),
      ['label-value-syntax'],
    );
  });
});
