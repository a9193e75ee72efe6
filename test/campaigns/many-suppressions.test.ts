/** Tests of files with thousands of suppressions: all have an effect, and the findings about them are limited. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { ruleIds } from '../../server/src/rules/framework/check.ts';
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
      found.filter(([, message]) => message.endsWith(` This file has ${more} more findings of this rule.`)).length,
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

  it('has a limited number of findings about suppressions that are unused', async () => {
    const names = ruleIds().filter((name) => !name.startsWith('label-value') && name !== 'unused-suppression');
    const line = Array.from({ length: 20_000 }, (_, number) => names[number % names.length]).join(', ');
    const found = await rulesIn(`# selector-lens-disable-file ${line}\n${bad}`);
    assert.equal(found.length, 101);
    const counting = found.filter(([, message]) => / This file has \d+ more findings of this rule\.$/.test(message));
    assert.equal(counting.length, 1);
    assert.equal(found.filter(([rule]) => rule === 'label-value-syntax').length, 1);
  });

  it('is reported with a part of a long line', async () => {
    const count = 4000;
    const labels = Array.from({ length: count }, (_, n) => `l${n}: "a b"`).join(', ');
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {${labels}}}\n`;
    const files = { 'a.yaml': text, 'b.yaml': text.replace('l0: "a b"', 'l0: "a  b"') };
    const sarif = await runInMemory(['check', '--format', 'sarif', 'a.yaml'], { files });
    assert.equal(sarif.err.join(), '');
    const { json } = sarif;
    const fingerprints = [...JSON.stringify(json).matchAll(/"partialFingerprints":\{"[^"]*":"([^"]*)"/g)].map(
      ([, each]) => each,
    );
    assert.equal(new Set(fingerprints).size, count);
    const snippets = [...JSON.stringify(json).matchAll(/"snippet":\{"text":("[^}]*")\}/g)].map(([, each]) => each);
    assert.deepEqual(new Set(snippets), new Set([JSON.stringify('"a b"')]));
    const { out } = await runInMemory(['check', 'a.yaml'], { files });
    const shown = out.filter((each) => / 3 \| /.test(each));
    assert.equal(shown.length, count);
    assert.ok(shown.every((each) => each.length < 140));
    assert.match(shown[0] ?? '', /\| metadata: \{name: a, labels: \{l0: "a b", .*…$/);
    assert.match(shown[2000] ?? '', /\| ….*l2000: "a b", .*…$/);
    assert.match(shown.at(-1) ?? '', /\| ….*l3999: "a b"\}\}$/);
    const carets = out.filter((each) => /^ +\| +\^+$/.test(each));
    assert.equal(
      (shown[2000] ?? '').slice(carets[2000]?.indexOf('^'), (carets[2000]?.lastIndexOf('^') ?? 0) + 1),
      '"a b"',
    );
  });

  it('is affected by all suppressions before a line, however many lines are blank', async () => {
    const all = '# selector-lens-disable-next-line all\n'.repeat(20_000);
    assert.deepEqual(await rulesIn(bad.replace('    app', `${all}${'\n'.repeat(50_000)}    app`)), []);
  });

  it('has every suppression on a separate line', async () => {
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
